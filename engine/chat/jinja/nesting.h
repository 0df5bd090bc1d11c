#pragma once

namespace engine::jinja {

/// Counts one level of nesting while it lives.
class Nesting {
public:
    explicit Nesting(int& level)
        : m_level(level)
    {
        ++m_level;
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --m_level; }

private:
    int& m_level;
};

} // namespace engine::jinja
