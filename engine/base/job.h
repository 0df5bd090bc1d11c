#pragma once

#include "engine/base/result.h"

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>

namespace engine {

/// Work on a thread of its own that ends in a value or an error, for what a load can do side by side.
/// What the work refers to must not change and must outlive it. A job that is destroyed asks its work
/// to stop and waits for its end. Errors: those of the work; Cancelled.
template <typename T> class Job {
public:
    explicit Job(std::function<Result<T>(std::stop_token)> work)
        : m_result(std::async(std::launch::async, std::move(work), m_stop.get_token()))
    {
    }
    Job(Job&&) = delete;
    ~Job()
    {
        m_stop.request_stop();
        if (m_result.valid())
            m_result.wait();
    }

    bool isDone() const { return m_result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

    /// Waits for the value, once. cancelled is asked meanwhile; then the work is asked to stop.
    Result<T> take(const std::function<bool()>& cancelled)
    {
        constexpr std::chrono::milliseconds kBetweenQuestions { 20 };
        while (m_result.wait_for(kBetweenQuestions) != std::future_status::ready)
            if (cancelled && cancelled())
                m_stop.request_stop();
        return m_result.get();
    }

private:
    std::stop_source m_stop;
    std::future<Result<T>> m_result;
};

} // namespace engine
