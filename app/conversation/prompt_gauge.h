#pragma once

#include "app/conversation/workspace.h"

#include <QThread>
#include <QTimer>

namespace app {

/// Measures the next prompt while a person types: a moment after the last key, in a thread of its
/// own, and never more often than a few times what the last measuring took. Nothing is measured
/// twice; a measure that was overtaken is dropped. What it counts of source texts it tells the
/// workspace. GUI thread.
class PromptGauge : public QObject {
    Q_OBJECT
public:
    explicit PromptGauge(Workspace& workspace, QObject* parent = nullptr);
    ~PromptGauge() override;

    void setConversation(Conversation* conversation);
    /// What is typed now; "" = nothing: then source texts alone are measured, if there are any.
    void setText(const QString& text);
    /// None without a model or a chat, or when there is neither text nor source.
    const std::optional<PromptMeasure>& measure() const { return m_measure; }
    /// What the last measuring took of the GUI thread.
    double lastGuiMs() const { return m_guiMs; }

    static constexpr int kPauseMs = 150;

signals:
    void measured();

private:
    void refreshLater();
    void refresh();
    void take(const MeasuredPrompt& measured, double costMs);
    void show(std::optional<PromptMeasure> measure);

    Workspace& m_workspace;
    Conversation* m_conversation = nullptr;
    QString m_text;
    bool m_isStale = false; ///< the text or what it is sent to has changed
    std::optional<PromptMeasure> m_measure;
    QTimer m_timer;
    std::unique_ptr<QThread> m_thread; ///< while one is measured
    double m_costMs = 0; ///< of the thread
    double m_guiMs = 0;
};

} // namespace app
