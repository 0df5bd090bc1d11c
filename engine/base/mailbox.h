#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace engine {

/// The one way values pass from thread to thread: a queue in order of posting. Any thread.
template <typename T> class Mailbox {
public:
    void post(T value)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_values.push_back(std::move(value));
        }
        m_arrived.notify_one();
    }

    /// Blocks until there is one.
    T take()
    {
        std::unique_lock lock(m_mutex);
        m_arrived.wait(lock, [this] { return !m_values.empty(); });
        return takeFirst();
    }

    /// Blocks at most this long.
    std::optional<T> takeWithin(std::chrono::milliseconds timeout)
    {
        std::unique_lock lock(m_mutex);
        if (!m_arrived.wait_for(lock, timeout, [this] { return !m_values.empty(); }))
            return std::nullopt;
        return takeFirst();
    }

    /// Everything posted so far, perhaps nothing; never blocks.
    std::vector<T> takeAll()
    {
        const std::lock_guard lock(m_mutex);
        std::vector<T> values(
            std::make_move_iterator(m_values.begin()), std::make_move_iterator(m_values.end()));
        m_values.clear();
        return values;
    }

private:
    T takeFirst()
    {
        T value = std::move(m_values.front());
        m_values.pop_front();
        return value;
    }

    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<T> m_values;
};

} // namespace engine
