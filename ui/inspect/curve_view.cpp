#include "ui/inspect/curve_view.h"

#include "ui/inspect/curve_canvas.h"
#include "ui/inspect/trace_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

#include <cmath>

namespace ui {

namespace {
    struct KindWords {
        app::Interest kind;
        const char* words;
        const char* meaning;
    };
    constexpr KindWords kKinds[] = {
        { app::Interest::Any, QT_TRANSLATE_NOOP("ui::CurveView", "any surprise"),
            QT_TRANSLATE_NOOP("ui::CurveView", "Whatever one of the others finds") },
        { app::Interest::HighEntropy, QT_TRANSLATE_NOOP("ui::CurveView", "undecided"),
            QT_TRANSLATE_NOOP(
                "ui::CurveView", "Entropy of 2 nats or more: as between 7 equal tokens") },
        { app::Interest::NearTie, QT_TRANSLATE_NOOP("ui::CurveView", "near tie"),
            QT_TRANSLATE_NOOP("ui::CurveView", "The two likeliest are 5 % apart or less") },
        { app::Interest::NearStop, QT_TRANSLATE_NOOP("ui::CurveView", "almost ended"),
            QT_TRANSLATE_NOOP("ui::CurveView", "The end tokens had 10 % or more, and it went on") },
        { app::Interest::LowRank, QT_TRANSLATE_NOOP("ui::CurveView", "not the likeliest"),
            QT_TRANSLATE_NOOP("ui::CurveView", "Another token was likelier than the chosen one") },
        { app::Interest::LoneByte, QT_TRANSLATE_NOOP("ui::CurveView", "lone bytes"),
            QT_TRANSLATE_NOOP("ui::CurveView", "The token is a part of a character") },
    };

    QString valueWords(app::TokenNumber number, double value)
    {
        if (number == app::TokenNumber::EndProbability)
            return shareWords(value);
        return CurveView::tr("%1 nats").arg(QLocale().toString(value, 'f', 2));
    }
}

CurveView::CurveView(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel(this))
    , m_kind(new QComboBox(this))
    , m_canvas(new CurveCanvas(this))
{
    const int unit = gridUnit(this);
    m_words->setObjectName(QStringLiteral("curveWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setMinimumHeight(fontMetrics().height() * 3); // what is below keeps its place
    m_words->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_kind->setObjectName(QStringLiteral("jumpKind"));
    m_kind->setAccessibleName(tr("What N and Shift+N jump to"));
    m_kind->setToolTip(tr("What N (next) and Shift+N (previous) jump to"));
    for (const KindWords& row : kKinds) {
        m_kind->addItem(tr(row.words), int(row.kind));
        m_kind->setItemData(m_kind->count() - 1, tr(row.meaning).toHtmlEscaped(), Qt::ToolTipRole);
    }
    m_canvas->setAccessibleName(tr("Curves of surprisal, entropy and the chance of ending"));

    auto* jumps = new QLabel(this);
    jumps->setTextFormat(Qt::PlainText);
    jumps->setText(tr("N jumps to"));
    jumps->setBuddy(m_kind);
    auto* top = new QHBoxLayout;
    top->setSpacing(unit);
    top->addWidget(jumps);
    top->addWidget(m_kind);
    top->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(unit / 2);
    column->addWidget(m_canvas);
    auto* below = new QVBoxLayout;
    below->setContentsMargins(unit, 0, unit, unit / 2);
    below->addWidget(m_words);
    below->addLayout(top);
    column->addLayout(below);
    connect(m_canvas, &CurveCanvas::tokenChosen, this, &CurveView::tokenChosen);
    connect(m_canvas, &CurveCanvas::hoveredChanged, this, &CurveView::showWords);
    connect(m_canvas, &CurveCanvas::jumpRequested, this, &CurveView::jump);
    showWords();
}

void CurveView::setTrack(const app::TokenTrack* track)
{
    m_track = track;
    m_current = -1;
    m_canvas->setCurrent(-1);
    followTrack(true);
}

void CurveView::followTrack(bool restarts)
{
    if (m_track)
        m_curves.follow(*m_track, restarts);
    else
        m_curves.clear();
    m_canvas->setCurves(m_track ? &m_curves : nullptr);
    const QString words = summary();
    if (words != m_canvas->accessibleDescription())
        m_canvas->setAccessibleDescription(words);
    showWords();
}

void CurveView::setCurrent(int token)
{
    m_current = token;
    m_canvas->setCurrent(token);
    showWords();
}

app::Interest CurveView::kind() const { return app::Interest(m_kind->currentData().toInt()); }

void CurveView::setKind(app::Interest kind)
{
    m_kind->setCurrentIndex(m_kind->findData(int(kind)));
}

void CurveView::jump(int direction)
{
    if (!m_track)
        return;
    const int start = direction > 0 ? m_track->promptCount() - 1 : int(m_track->tokens().size());
    const int from = m_current < 0 ? start : m_current;
    if (const auto next = app::nextInteresting(*m_track, from, kind(), direction))
        emit tokenChosen(*next);
}

QString CurveView::summary() const
{
    const auto peak = [this](size_t curve) {
        const auto found = m_curves.peak(curve);
        if (!found)
            return tr("not observed");
        return tr("%1 at token %2")
            .arg(valueWords(app::TokenCurves::kNumbers[curve], double(found->value)))
            .arg(found->token - m_curves.firstToken() + 1);
    };
    if (m_curves.tokenCount() == 0)
        return tr("No tokens yet.");
    return tr("Highest chance of ending: %1. Highest surprisal: %2. Highest entropy: %3.")
        .arg(peak(2), peak(0), peak(1));
}

void CurveView::showWords()
{
    const int token = m_canvas->hovered() >= 0 ? m_canvas->hovered() : m_current;
    const int index = token - m_curves.firstToken();
    if (token < 0 || index < 0 || index >= m_curves.tokenCount()) {
        renew(m_words, summary());
        return;
    }
    const auto value = [&](size_t curve) {
        const float number = m_curves.values(curve)[size_t(index)];
        return std::isnan(number) ? tr("not observed")
                                  : valueWords(app::TokenCurves::kNumbers[curve], double(number));
    };
    renew(m_words,
        tr("Token %1: surprisal %2, entropy %3, ending here %4")
            .arg(index + 1)
            .arg(value(0), value(1), value(2)));
}

} // namespace ui
