#pragma once

#include "app/conversation/workspace.h"

#include <QObject>
#include <QPointer>

namespace app {

/// A grid over several models: loads one after another, lets each write its answer beside the one
/// that was asked about, and at the end loads the model that was there before. While that lasts it
/// holds the model (Workspace::holdModel); a person who loads another one ends it. GUI thread.
class ModelRounds : public QObject {
    Q_OBJECT
public:
    /// The workspace must outlive it.
    explicit ModelRounds(Workspace& workspace, QObject* parent = nullptr);
    ~ModelRounds() override;

    /// variants: with a modelPath each. The model that is loaded already goes first, the others in
    /// their order. False when it cannot begin now: the conversation's problem says why.
    bool begin(Conversation& conversation, Turn& answer, std::vector<RunVariant> variants);
    bool isUnderWay() const { return m_phase != Phase::Idle; }
    /// In the order of the variants; of the rounds begun last.
    const std::vector<GridCell>& cells() const { return m_cells; }
    /// Ends the run under way and begins no other one.
    void stop();
    /// The same for this cell alone.
    void stop(size_t cell);

signals:
    void cellChanged(size_t cell);
    /// Nothing more happens, but for the first model, which may be loading.
    void ended();

private:
    enum class Phase {
        Idle,
        Between, ///< the next cell is about to be looked for
        Loading,
        Writing,
    };

    std::optional<Problem> whyNot(const Conversation& conversation, const Turn& answer) const;
    Turn* asked() const;
    Turn* current() const;
    void goOn();
    void next();
    void load(size_t cell);
    void write();
    void noteModel();
    void noteProgress();
    void noteAnswer(const Turn& turn);
    void giveUp(size_t cell, const QString& why);
    void fail(std::optional<Problem> problem);
    void finish(bool restores);

    Workspace& m_workspace;
    QPointer<Conversation> m_conversation;
    MessageId m_asked = 0;
    GridOrder m_order;
    std::vector<RunVariant> m_variants;
    std::vector<GridCell> m_cells;
    std::optional<engine::ModelLoadRequest> m_first; ///< none: no model was loaded
    engine::ModelLoadRequest m_wanted; ///< that this loads, or has loaded
    size_t m_current = 0;
    Phase m_phase = Phase::Idle;
};

} // namespace app
