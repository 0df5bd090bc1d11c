#pragma once

#include "app/engine_client.h"
#include "engine/session/generation_event.h"

#include <QObject>

#include <array>
#include <optional>

namespace app {

class Workspace;

/// The proof of a cache question: one prompt answered greedily three times. First another prompt
/// is read, so that the cache holds it; then this one with what the cache has, and once more with
/// nothing of it. The answers must be the same. GUI thread.
class ReuseProof : public QObject {
    Q_OBJECT
public:
    static constexpr int kTokens = 16;

    explicit ReuseProof(Workspace& workspace, QObject* parent = nullptr);
    ~ReuseProof() override { cancel(); }

    /// Ids of the prompt that is held, and of the one that is asked. Needs a loaded model.
    void start(const engine::TokenIds& held, const engine::TokenIds& asked);
    bool isUnderWay() const { return m_isUnderWay; }
    void cancel();

    /// Of the prompt that is held.
    const std::optional<engine::RunEnded>& holding() const { return m_ended[0]; }
    const std::optional<engine::RunEnded>& withReuse() const { return m_ended[1]; }
    const std::optional<engine::RunEnded>& withoutReuse() const { return m_ended[2]; }
    /// None until all are there, or when one failed or was cancelled.
    std::optional<bool> isSame() const;

signals:
    void changed();

private:
    void apply(const std::vector<engine::GenerationEvent>& events);

    Workspace& m_workspace;
    bool m_isUnderWay = false;
    std::array<engine::RunId, 3> m_runs {};
    std::array<std::optional<engine::RunEnded>, 3> m_ended;
};

} // namespace app
