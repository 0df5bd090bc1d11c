#include "ui/inspect/timeline_tab.h"

#include "ui/inspect/timeline_canvas.h"
#include "ui/inspect/timeline_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kRefreshMs = 100; // also after the end: the last paint comes later than it

    QLabel* wrapped(QWidget* parent, const char* name)
    {
        auto* label = new QLabel(parent);
        label->setObjectName(QLatin1String(name));
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        return label;
    }
}

TimelineTab::TimelineTab(QWidget* parent)
    : QWidget(parent)
    , m_notice(new NoteLabel(this))
    , m_content(new QWidget(this))
{
    const int unit = gridUnit(this);
    m_processing = wrapped(m_content, "processingWords");
    m_delivery = wrapped(m_content, "deliveryWords");
    m_result = wrapped(m_content, "resultWords");
    m_summary = wrapped(m_content, "timelineSummary");
    m_step = wrapped(m_content, "stepWords");
    m_step->setMinimumHeight(fontMetrics().height() * 3); // what is below keeps its place
    auto* hint = new NoteLabel(m_content);
    hint->setNote(tr("A tick is as high as its token's step was long. A stall, marked by a "
                     "triangle, is longer than %1 times the median and than %2 ms. Arrow keys "
                     "walk the tokens, N and Shift+N the stalls.")
                      .arg(app::kStallLimits.medianFactor)
                      .arg(app::kStallLimits.leastMs));
    m_canvas = new TimelineCanvas(m_content);
    m_canvas->setObjectName(QStringLiteral("timelineCanvas"));
    m_canvas->setAccessibleName(tr("Timeline of the run"));
    m_notice->setObjectName(QStringLiteral("noTimeline"));

    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(unit);
    for (QWidget* widget : std::initializer_list<QWidget*> {
             m_processing, m_delivery, m_result, m_canvas, m_step, m_summary, hint })
        content->addWidget(widget);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(unit, unit, unit, unit);
    column->addWidget(m_notice);
    column->addWidget(m_content);
    column->addStretch(1);
    m_wait.setSingleShot(true);
    m_wait.setInterval(kRefreshMs);
    connect(&m_wait, &QTimer::timeout, this, &TimelineTab::refresh);
    connect(m_canvas, &TimelineCanvas::hoveredChanged, this, &TimelineTab::showStep);
    connect(m_canvas, &TimelineCanvas::tokenChosen, this,
        [this](int index) { emit tokenChosen(m_firstToken + index); });
    refresh();
}

void TimelineTab::setAnswer(const app::TokenTrack* track, const app::Answer* answer)
{
    m_track = track;
    m_answer = answer;
    m_current = -1;
    m_wait.stop();
    refresh();
}

void TimelineTab::followAnswer()
{
    if (isVisible() && !m_wait.isActive())
        m_wait.start();
}

void TimelineTab::setCurrent(int token)
{
    const int before = shownPart();
    m_current = token;
    if (!isVisible())
        return;
    if (shownPart() != before || token - m_firstToken >= int(m_line.steps.size()))
        return refresh();
    m_canvas->setCurrent(token - m_firstToken);
    showStep();
}

void TimelineTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

int TimelineTab::shownPart() const
{
    if (!m_track || !m_answer)
        return -1;
    const bool isKnown = m_current >= 0 && m_current < int(m_track->tokens().size());
    const int part = isKnown ? m_track->tokens()[size_t(m_current)].part : -1;
    return part >= 0 ? part : int(m_answer->parts().size()) - 1;
}

int TimelineTab::firstTokenOf(int part) const
{
    const auto& tokens = m_track->tokens(); // the prompt has part -1, then parts follow in order
    return int(std::partition_point(tokens.begin(), tokens.end(),
                   [part](const app::TrackToken& token) { return token.part < part; })
        - tokens.begin());
}

void TimelineTab::refresh()
{
    const int part = isVisible() ? shownPart() : -1;
    const app::Draft* draft = part >= 0 ? m_answer->parts()[size_t(part)].get() : nullptr;
    m_canvas->setTimeline(nullptr);
    m_line = draft ? app::runTimeline(*draft) : app::RunTimeline {};
    m_content->setVisible(draft != nullptr);
    m_notice->setVisible(!draft);
    m_notice->setNote(m_answer ? tr("A person wrote this answer: there was no run.")
                               : tr("There is no answer yet."));
    if (!draft)
        return;
    m_firstToken = firstTokenOf(part);
    m_canvas->setTimeline(&m_line);
    m_canvas->setCurrent(m_current - m_firstToken);
    renew(m_processing, processingWords(*draft, m_line));
    renew(m_delivery, deliveryWords(*draft, m_line));
    renew(m_result, resultWords(*draft));
    renew(m_summary, timelineSummary(m_line));
    showStep();
}

void TimelineTab::showStep()
{
    const int token = m_canvas->hovered() >= 0 ? m_canvas->hovered() : m_canvas->current();
    const bool isShown = token >= 0 && token < int(m_line.steps.size());
    renew(m_step, isShown ? stepWords(m_line, token) : tr("No token is chosen."));
    const QString words
        = isShown ? m_step->text() + QStringLiteral(". ") + m_summary->text() : m_summary->text();
    if (words != m_canvas->accessibleDescription())
        m_canvas->setAccessibleDescription(words);
}

} // namespace ui
