#include "ui/inspect/timeline_tab.h"

#include "ui/chat/check_words.h"
#include "ui/inspect/timeline_canvas.h"
#include "ui/inspect/timeline_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {
    constexpr double kZoomStep = 1.5;
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
    m_pass = wrapped(m_content, "passWords");
    m_pass->setMinimumHeight(fontMetrics().height() * 4);
    m_scroll = new QScrollBar(Qt::Horizontal, m_content);
    m_scroll->setObjectName(QStringLiteral("timelineScroll"));
    m_scroll->setAccessibleName(tr("Part of the timeline"));
    auto* hint = new NoteLabel(m_content);
    hint->setNote(tr("A tick is as high as its token's step was long. A stall, marked by a "
                     "triangle, is longer than %1 times the median and than %2 ms. Arrow keys "
                     "walk the tokens, N and Shift+N the stalls, Up and Down the passes; Ctrl and "
                     "the wheel, or plus, minus and 0, magnify.")
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
             m_processing, m_delivery, m_result, createZoomBar(), m_canvas, m_scroll, m_step,
             m_pass, m_summary, hint })
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
    connect(m_canvas, &TimelineCanvas::passChanged, this, &TimelineTab::showStep);
    connect(m_canvas, &TimelineCanvas::scaleChanged, this, &TimelineTab::showScale);
    connect(m_scroll, &QScrollBar::valueChanged, m_canvas,
        [this](int leftMs) { m_canvas->scrollTo(leftMs); });
    connect(m_canvas, &TimelineCanvas::tokenChosen, this,
        [this](int index) { emit tokenChosen(m_firstToken + index); });
    refresh();
}

QWidget* TimelineTab::createZoomBar()
{
    auto* bar = new QWidget(m_content);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    const auto add = [&](const char* name, const QString& text, const QString& words, auto act) {
        auto* button = new QToolButton(bar);
        button->setObjectName(QLatin1String(name));
        button->setText(text);
        button->setToolTip(words.toHtmlEscaped());
        button->setAccessibleName(words);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, m_canvas, act);
        row->addWidget(button);
    };
    add("zoomOut", QStringLiteral("−"), tr("See more of the run (minus)"),
        [this] { m_canvas->zoom(1 / kZoomStep); });
    add("zoomIn", QStringLiteral("+"), tr("Magnify (plus)"), [this] { m_canvas->zoom(kZoomStep); });
    add("showAll", tr("All"), tr("See the whole run (0)"), [this] { m_canvas->showAll(); });
    return bar;
}

void TimelineTab::showScale()
{
    const TimelineScale& scale = m_canvas->scale();
    const QSignalBlocker blocker(m_scroll);
    m_scroll->setVisible(scale.isZoomed());
    m_scroll->setRange(int(scale.startMs()), int(scale.endMs() - scale.seenMs()));
    m_scroll->setPageStep(std::max(1, int(scale.seenMs())));
    m_scroll->setSingleStep(std::max(1, int(scale.seenMs() / 8)));
    m_scroll->setValue(int(scale.leftMs()));
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
    m_line = draft ? app::runTimeline(*draft) : app::RunTimeline {};
    if (draft != m_shown) {
        m_canvas->setTimeline(nullptr);
        m_canvas->showAll();
    }
    m_shown = draft;
    m_content->setVisible(draft != nullptr);
    m_notice->setVisible(!draft);
    m_notice->setNote(m_answer ? tr("A person wrote this answer: there was no run.")
                               : tr("There is no answer yet."));
    if (!draft)
        return;
    m_firstToken = firstTokenOf(part);
    m_canvas->setTimeline(&m_line);
    m_canvas->setCurrent(m_current - m_firstToken);
    showScale();
    renew(m_processing, processingWords(*draft, m_line));
    renew(m_delivery, deliveryWords(*draft, m_line));
    std::optional<QString> checks;
    if (draft->check())
        checks = checkWords(*draft->check());
    renew(m_result, resultWords(*draft, checks));
    renew(m_summary, timelineSummary(m_line));
    showStep();
}

void TimelineTab::showStep()
{
    const int token = m_canvas->hovered() >= 0 ? m_canvas->hovered() : m_canvas->current();
    const bool isShown = token >= 0 && token < int(m_line.steps.size());
    renew(m_step, isShown ? stepWords(m_line, token) : tr("No token is chosen."));
    const int pass = m_canvas->hovered() >= 0 ? m_line.passOf(token) : m_canvas->currentPass();
    const bool hasPass = pass >= 0 && pass < int(m_line.passes.size());
    renew(m_pass, hasPass ? passWords(m_line, pass)
            : m_line.passes.empty() ? tr("Passes were not observed.")
                                    : tr("No pass is chosen."));
    QStringList parts;
    if (isShown)
        parts << m_step->text();
    if (hasPass)
        parts << m_pass->text();
    const QString words = (parts << m_summary->text()).join(QStringLiteral(". "));
    if (words != m_canvas->accessibleDescription())
        m_canvas->setAccessibleDescription(words);
}

} // namespace ui
