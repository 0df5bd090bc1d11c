#include "app/conversation/prompt_gauge.h"

#include <QElapsedTimer>

#include <algorithm>

namespace app {

namespace {
    // Measuring takes at most this share of a core's time while somebody types.
    constexpr int kRestFactor = 4;
    // What is slow is counting a new text, which happens once.
    constexpr int kLongestPauseMs = 1000;

    double elapsedMs(const QElapsedTimer& since) { return double(since.nsecsElapsed()) / 1e6; }
}

PromptGauge::PromptGauge(Workspace& workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PromptGauge::refresh);
    connect(&workspace, &Workspace::modelChanged, this, [this] {
        if (!m_workspace.model())
            show(std::nullopt);
        refreshLater();
    });
}

PromptGauge::~PromptGauge()
{
    if (m_thread)
        m_thread->wait();
}

void PromptGauge::setConversation(Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    m_conversation = conversation;
    m_text.clear();
    if (conversation) {
        for (const auto signal : { &Conversation::turnAdded, &Conversation::branchChanged })
            connect(conversation, signal, this, &PromptGauge::refreshLater);
        for (const auto signal : { &Conversation::settingsChanged, &Conversation::loaded,
                 &Conversation::sourcesChanged })
            connect(conversation, signal, this, &PromptGauge::refreshLater);
        // While an answer is written the next prompt is not known yet.
        connect(conversation, &Conversation::draftChanged, this, [this] {
            if (!m_conversation->activeDraft())
                refreshLater();
        });
        m_text = conversation->typedText();
    }
    show(std::nullopt);
    m_isStale = true;
    refresh();
}

void PromptGauge::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    if (text.isEmpty())
        show(std::nullopt);
    refreshLater();
}

void PromptGauge::refreshLater()
{
    m_isStale = true;
    m_timer.start(std::clamp(int(kRestFactor * m_costMs), kPauseMs, kLongestPauseMs));
}

void PromptGauge::refresh()
{
    if (!m_isStale || m_thread)
        return; // what is measured now asks again when it is done
    m_timer.stop();
    m_isStale = false;
    QElapsedTimer taking;
    taking.start();
    const bool isWorthIt
        = m_conversation && (!m_text.trimmed().isEmpty() || !m_conversation->sources().empty());
    auto request = isWorthIt ? m_workspace.measureRequest(*m_conversation, m_text) : std::nullopt;
    if (!request)
        return show(std::nullopt);
    m_thread.reset(QThread::create([this, request = std::move(*request)] {
        QElapsedTimer cost;
        cost.start();
        MeasuredPrompt measured = measurePrompt(request);
        QMetaObject::invokeMethod(
            this, [this, measured = std::move(measured), costMs = elapsedMs(cost)] {
                take(measured, costMs);
            });
    }));
    m_thread->start(QThread::LowPriority);
    m_guiMs = elapsedMs(taking);
}

void PromptGauge::take(const MeasuredPrompt& measured, double costMs)
{
    m_thread->wait();
    m_thread.reset();
    m_costMs = costMs;
    m_workspace.noteSourceTokens(measured);
    if (m_isStale)
        return refreshLater();
    show(measured.measure);
}

void PromptGauge::show(std::optional<PromptMeasure> measure)
{
    if (measure == m_measure)
        return;
    m_measure = std::move(measure);
    emit measured();
}

} // namespace app
