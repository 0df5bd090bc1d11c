#pragma once

namespace app {

/// While it lives, SIGINT and SIGTERM set a mark instead of ending the program; a second one ends
/// it. One at a time.
class InterruptWatch {
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    bool isInterrupted() const;
};

} // namespace app
