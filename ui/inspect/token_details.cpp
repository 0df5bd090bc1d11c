#include "ui/inspect/token_details.h"

#include "ui/inspect/candidate_list.h"
#include "ui/inspect/draw_bar.h"
#include "ui/inspect/full_input.h"
#include "ui/inspect/piece_words.h"
#include "ui/inspect/token_facts.h"
#include "ui/inspect/vocabulary_search.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMetaMethod>
#include <QToolButton>

#include <algorithm>

namespace ui {

namespace {
    QLabel* plainLabel(QWidget* parent)
    {
        auto* label = new QLabel(parent);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        return label;
    }

    QToolButton* actionButton(const char* name, QWidget* parent)
    {
        auto* button = new QToolButton(parent);
        button->setObjectName(QString::fromLatin1(name));
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        return button;
    }
}

TokenDetails::TokenDetails(QWidget* parent)
    : QWidget(parent)
    , m_empty(new NoteLabel(this))
    , m_content(new QWidget(this))
    , m_title(plainLabel(m_content))
    , m_facts(new QGridLayout)
    , m_heading(plainLabel(m_content))
    , m_unobserved(new NoteLabel(m_content))
    , m_candidates(new CandidateList(m_content))
    , m_search(new VocabularySearch(m_content))
    , m_active(m_candidates)
    , m_actions(new QWidget(m_content))
    , m_fork(actionButton("forkHere", m_actions))
    , m_ban(actionButton("banHere", m_actions))
    , m_banEverywhere(actionButton("banEverywhere", m_actions))
    , m_choice(new QWidget(m_content))
    , m_bar(new DrawBar(m_choice))
    , m_drawWords(new NoteLabel(m_choice))
    , m_limits(new NoteLabel(m_choice))
    , m_input(new FullInput(m_content))
{
    setAccessibleName(tr("Details of the token"));
    const int unit = gridUnit(this);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_title->setObjectName(QStringLiteral("tokenTitle"));
    m_title->setFont(strong);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_heading->setFont(strong);
    m_heading->setText(tr("What it could have been: raw → final"));
    m_unobserved->setObjectName(QStringLiteral("notObserved"));
    m_drawWords->setObjectName(QStringLiteral("drawWords"));
    m_limits->setObjectName(QStringLiteral("limits"));
    m_empty->setNote(tr("No token is selected. Click one in the strip above, or use ← and →."));

    m_facts->setHorizontalSpacing(unit);
    m_facts->setVerticalSpacing(unit / 4);
    m_facts->setColumnStretch(1, 1);
    auto* bans = new QHBoxLayout;
    bans->addWidget(m_ban);
    bans->addWidget(m_banEverywhere);
    bans->addStretch(1);
    auto* actions = new QVBoxLayout(m_actions);
    actions->setContentsMargins(0, 0, 0, 0);
    actions->setSpacing(0);
    actions->addWidget(m_fork, 0, Qt::AlignLeft);
    actions->addLayout(bans);
    auto* choice = new QVBoxLayout(m_choice);
    choice->setContentsMargins(0, 0, 0, 0);
    choice->setSpacing(unit / 2);
    choice->addWidget(m_bar);
    choice->addWidget(m_drawWords);
    choice->addWidget(m_limits);
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(unit / 2);
    content->addWidget(m_title);
    content->addLayout(m_facts);
    content->addSpacing(unit / 2);
    content->addWidget(m_heading);
    content->addWidget(m_unobserved);
    content->addWidget(m_candidates);
    content->addWidget(m_search);
    content->addWidget(m_actions);
    content->addWidget(m_choice);
    content->addWidget(m_input);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(unit, unit, unit, unit);
    column->addWidget(m_empty);
    column->addWidget(m_content);
    column->addStretch(1);

    const auto onCurrent = [this](auto act) {
        return [this, act] {
            if (const auto id = current())
                act(*id);
        };
    };
    for (CandidateList* list : { m_candidates, &m_search->matches() }) {
        connect(list, &CandidateList::activated, this, &TokenDetails::forkRequested);
        connect(list, &CandidateList::currentChanged, this, &TokenDetails::showActions);
        connect(list, &CandidateList::entered, this, [this, list] { setActive(list); });
    }
    connect(m_fork, &QToolButton::clicked, this,
        onCurrent([this](engine::TokenId id) { emit forkRequested(id); }));
    connect(m_ban, &QToolButton::clicked, this,
        onCurrent([this](engine::TokenId id) { emit banRequested(id, false); }));
    connect(m_banEverywhere, &QToolButton::clicked, this,
        onCurrent([this](engine::TokenId id) { emit banRequested(id, true); }));
    applyColors();
    clear();
}

void TokenDetails::show(const app::TokenTrack& track, const app::Answer&, int token)
{
    if (token < 0 || size_t(token) >= track.tokens().size()) {
        clear();
        return;
    }
    if (m_track != &track || m_token != token)
        m_active = m_candidates;
    m_track = &track;
    m_token = token;
    setHasContent(true);
    renew(m_title, tokenTitle(track, token));
    showFacts();
    showChoice();
    m_input->show(track, token);
}

void TokenDetails::clear()
{
    m_track = nullptr;
    m_input->clear();
    setHasContent(false);
}

void TokenDetails::setHasContent(bool hasContent)
{
    m_empty->setVisible(!hasContent);
    m_content->setVisible(hasContent);
}

void TokenDetails::showFacts()
{
    const std::vector<TokenFact> facts = tokenFacts(*m_track, m_token);
    while (m_names.size() < facts.size()) {
        const int row = int(m_names.size());
        m_names.push_back(plainLabel(m_content));
        m_names.back()->setWordWrap(false);
        m_values.push_back(plainLabel(m_content));
        m_values.back()->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_facts->addWidget(m_names.back(), row, 0, Qt::AlignTop);
        m_facts->addWidget(m_values.back(), row, 1);
        applyColors();
    }
    for (size_t i = 0; i < facts.size(); ++i) {
        renew(m_names[i], facts[i].name);
        renew(m_values[i], facts[i].value, facts[i].name + QStringLiteral(": ") + facts[i].value);
    }
}

void TokenDetails::showChoice()
{
    const auto step = app::tracedStep(*m_track, m_token);
    const bool isObserved = step.has_value();
    m_unobserved->setVisible(!isObserved);
    m_candidates->setVisible(isObserved);
    m_choice->setVisible(isObserved);
    if (!isObserved) {
        m_unobserved->setNote(m_track->record(m_token)
                ? tr("Not observed: the run that made this token kept no candidates.")
                : m_track->tokens()[size_t(m_token)].source == engine::TokenSource::Sampled
                ? tr("Kept by a fork that noted no more of it: look at the branch it came from (Alt+Left).")
                : tr("Not observed: nobody chose this token, it was given to the model."));
        m_candidates->setRows({});
        showActions();
        return;
    }
    const engine::SamplerSettings& settings = *m_track->samplingOf(m_token);
    const app::StageTrace trace = app::traceAsRecorded(*step, settings);
    const PieceNames names = pieceNames(*m_track, m_token);
    m_candidates->setRows(candidateWords(trace, step->record.id, names));
    const QString words = drawWords(trace, names);
    m_bar->setVisible(!trace.isGreedy && trace.draw);
    m_bar->setTrace(trace, words);
    m_drawWords->setNote(words);
    const bool isOpen
        = std::ranges::any_of(trace.candidates, [](const app::TracedCandidate& candidate) {
              return candidate.final() && !candidate.final()->isKnown();
          });
    m_limits->setVisible(isOpen);
    m_limits->setNote(tr("The record holds the twenty likeliest tokens only. Where they do not "
                         "tell a value, its bounds are shown."));
    showActions();
}

void TokenDetails::setActive(CandidateList* list)
{
    m_active = list;
    showActions();
}

std::optional<engine::TokenId> TokenDetails::current() const
{
    const auto current = m_active->current();
    return current ? current : m_candidates->current();
}

void TokenDetails::showActions()
{
    const bool isOfAnswer = m_track && m_track->tokens()[size_t(m_token)].place != app::TokenPlace::Prompt;
    const auto current = isOfAnswer ? this->current() : std::nullopt;
    const bool mayFork
        = current && isSignalConnected(QMetaMethod::fromSignal(&TokenDetails::forkRequested));
    const bool mayBan
        = current && isSignalConnected(QMetaMethod::fromSignal(&TokenDetails::banRequested));
    m_fork->setVisible(mayFork);
    m_ban->setVisible(mayBan);
    m_banEverywhere->setVisible(mayBan);
    m_actions->setVisible(mayFork || mayBan);
    if (!current)
        return;
    const QString name = quotedPiece(*m_track, m_token, *current);
    m_fork->setText(tr("Fork with %1").arg(name));
    m_fork->setToolTip(
        tr("Write on from here with %1 instead (Enter or F)").arg(name.toHtmlEscaped()));
    m_ban->setText(tr("Ban here"));
    m_ban->setAccessibleName(tr("Ban %1 here").arg(name));
    m_ban->setToolTip(tr("Write on from here with any token but %1; later it may be taken").arg(name.toHtmlEscaped()));
    m_banEverywhere->setText(tr("Ban in this chat"));
    m_banEverywhere->setAccessibleName(tr("Ban %1 in this chat").arg(name));
    m_banEverywhere->setToolTip(
        tr("Write on from here without %1, and never take it in this chat again; the settings list what is banned")
            .arg(name.toHtmlEscaped()));
}

void TokenDetails::applyColors()
{
    const Theme theme = Theme::of(palette());
    for (QLabel* name : m_names) {
        QPalette muted = name->palette();
        muted.setColor(QPalette::WindowText, theme.mutedText);
        name->setPalette(muted);
    }
}

// Not when a connection goes: then Qt holds the lock that isSignalConnected takes.
void TokenDetails::connectNotify(const QMetaMethod&) { showActions(); }

void TokenDetails::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QWidget::changeEvent(event);
}

} // namespace ui
