#include "app/cli/interrupt_watch.h"

#include <csignal>

namespace app {

namespace {
    // A signal handler may touch nothing else.
    volatile std::sig_atomic_t interruptMark = 0;

    void markInterrupt(int signalNumber)
    {
        interruptMark = 1;
        std::signal(signalNumber, SIG_DFL);
    }
}

InterruptWatch::InterruptWatch()
{
    interruptMark = 0;
    std::signal(SIGINT, markInterrupt);
    std::signal(SIGTERM, markInterrupt);
}

InterruptWatch::~InterruptWatch()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

bool InterruptWatch::isInterrupted() const { return interruptMark != 0; }

} // namespace app
