#include "ui/inspect/prompt_tab.h"

#include "ui/chat/text_surface.h"
#include "ui/inspect/origin_legend.h"
#include "ui/inspect/prompt_format.h"
#include "ui/inspect/prompt_words.h"
#include "ui/theme/icon.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTextCursor>
#include <QToolButton>
#include <QToolTip>

#include <utility>

namespace ui {

namespace {
    QToolButton* flatButton(const QString& text, const char* name, QWidget* parent)
    {
        auto* button = new QToolButton(parent);
        button->setObjectName(QString::fromLatin1(name));
        button->setText(text);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        return button;
    }

    NoteLabel* note(const char* name, QWidget* parent)
    {
        auto* label = new NoteLabel(parent);
        label->setObjectName(QString::fromLatin1(name));
        return label;
    }

    void say(NoteLabel& label, const QString& words)
    {
        if (label.text() != words)
            label.setNote(words);
        label.setVisible(!words.isEmpty());
    }
}

PromptTab::PromptTab(QWidget* parent)
    : QWidget(parent)
    , m_runs(new QComboBox(this))
    , m_asText(flatButton(tr("Text"), "promptAsText", this))
    , m_asIds(flatButton(tr("Ids"), "promptAsIds", this))
    , m_asMessages(flatButton(tr("Messages"), "promptAsMessages", this))
    , m_lens(new QCheckBox(tr("Cache"), this))
    , m_copy(flatButton(tr("Copy"), "copyPrompt", this))
    , m_cache(note("promptCache", this))
    , m_room(note("promptRoom", this))
    , m_origins(new OriginLegend(this))
    , m_roundTrip(note("roundTrip", this))
    , m_sources(note("promptSources", this))
    , m_legend(note("promptLegend", this))
    , m_edit(new QPlainTextEdit(this))
    , m_notice(note("noPrompt", this))
    , m_pages(new QStackedLayout(this))
{
    auto* kinds = new QButtonGroup(this);
    for (QToolButton* button : { m_asText, m_asIds, m_asMessages }) {
        button->setCheckable(true);
        kinds->addButton(button);
    }
    m_asText->setChecked(true);
    m_asText->setAccessibleName(tr("Show the prompt as text"));
    m_asIds->setAccessibleName(tr("Show the prompt as token ids"));
    m_asMessages->setAccessibleName(tr("Show the prompt message by message"));
    m_runs->setObjectName(QStringLiteral("promptRun"));
    m_runs->setAccessibleName(tr("Which run of this answer"));
    m_runs->setToolTip(tr("An answer that was continued has a prompt for each of its runs"));
    m_runs->setVisible(false);
    m_origins->setObjectName(QStringLiteral("promptOrigins"));
    m_edit->viewport()->installEventFilter(this);
    m_lens->setObjectName(QStringLiteral("cacheLens"));
    m_lens->setChecked(true);
    m_lens->setToolTip(tr("Tell apart what the KV cache had and what was computed again"));
    m_copy->setIcon(icon(IconName::Copy));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_copy->setAccessibleName(tr("Copy the prompt"));
    m_edit->setObjectName(QStringLiteral("promptText"));
    m_edit->setReadOnly(true);
    m_edit->setUndoRedoEnabled(false);
    m_edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_edit->setTabChangesFocus(true);
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(this->font().pointSizeF());
    m_edit->setFont(font);
    m_notice->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    m_pages->addWidget(makeContent());
    auto* empty = new QWidget(this);
    auto* column = new QVBoxLayout(empty);
    column->addWidget(m_notice);
    column->addStretch(1);
    m_pages->addWidget(empty);
    connect(kinds, &QButtonGroup::buttonToggled, this, [this](QAbstractButton*, bool isOn) {
        if (isOn)
            write();
    });
    connect(m_runs, &QComboBox::activated, this, [this](int part) {
        m_chosenPart.reset();
        if (part + 1 < m_runs->count())
            m_chosenPart = part;
        follow();
    });
    connect(m_lens, &QCheckBox::toggled, this, &PromptTab::write);
    connect(
        m_copy, &QToolButton::clicked, this, [this] { copyToClipboard(m_edit->toPlainText()); });
}

QWidget* PromptTab::makeContent()
{
    const int unit = gridUnit(this);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(unit, unit, unit, unit);
    column->setSpacing(unit);
    auto* line = new QHBoxLayout;
    line->setSpacing(unit);
    line->addWidget(m_runs);
    line->addWidget(m_asText);
    line->addWidget(m_asIds);
    line->addWidget(m_asMessages);
    line->addWidget(m_lens);
    line->addStretch(1);
    line->addWidget(m_copy);
    column->addLayout(line);
    column->addWidget(m_cache);
    column->addWidget(m_room);
    column->addWidget(m_edit, 1);
    column->addWidget(m_origins);
    column->addWidget(m_legend);
    column->addWidget(m_sources);
    column->addWidget(m_roundTrip);
    QWidget* before = m_runs;
    for (QWidget* widget : std::initializer_list<QWidget*> {
             m_asText, m_asIds, m_asMessages, m_lens, m_copy, m_edit }) {
        setTabOrder(before, widget);
        before = widget;
    }
    return content;
}

void PromptTab::setAnswer(const app::Answer* answer,
    std::shared_ptr<const engine::ModelText> vocabulary, const app::TurnTree* tree)
{
    m_answer = answer;
    m_tree = tree;
    m_chosenPart.reset();
    m_vocabulary = std::move(vocabulary);
    m_shown.reset();
    m_view = {};
    m_edit->clear();
    follow();
}

PromptTab::Basis PromptTab::basis() const
{
    const app::Draft* draft = shownPart();
    if (!draft)
        return {};
    return { draft, m_answer->hasDetails(), draft->ending().has_value(),
        draft->prefill() ? std::optional(draft->prefill()->reused) : std::nullopt };
}

const app::Draft* PromptTab::shownPart() const
{
    if (!m_answer)
        return nullptr;
    const bool isThere = m_chosenPart && size_t(*m_chosenPart) < m_answer->parts().size();
    return isThere ? m_answer->parts()[size_t(*m_chosenPart)].get() : m_answer->draft();
}

/// The runs of the answer, where there are several.
void PromptTab::listRuns()
{
    const int count = int(m_answer->parts().size());
    while (m_runs->count() > count)
        m_runs->removeItem(m_runs->count() - 1);
    for (int part = 0; part < count; ++part) {
        const QString words = tr("Run %L1 of %L2").arg(part + 1).arg(count);
        if (part == m_runs->count())
            m_runs->addItem(words);
        else if (m_runs->itemText(part) != words)
            m_runs->setItemText(part, words);
    }
    m_runs->setCurrentIndex(m_chosenPart.value_or(count - 1));
    m_runs->setVisible(count > 1);
}

QString PromptTab::notice() const
{
    if (!m_answer)
        return tr("There is no answer yet. What its model was given will be shown here.");
    if (m_answer->isEdited())
        return tr("A person wrote this answer: no model was given a prompt for it.");
    return m_answer->hasDetails() ? QString() : tr("Reading the prompt of this answer…");
}

void PromptTab::follow()
{
    if (!isVisible())
        return;
    const QString words = notice();
    say(*m_notice, words);
    m_pages->setCurrentIndex(words.isEmpty() ? 0 : 1);
    if (!words.isEmpty())
        return;
    listRuns();
    if (m_shown != basis()) {
        m_shown = basis();
        refill();
    }
    const auto use = app::promptCacheUse(*shownPart());
    say(*m_cache, cacheWords(use, m_cacheLens));
    say(*m_room, roomWords(use));
}

void PromptTab::refill()
{
    const app::Draft& draft = *shownPart();
    m_view = app::promptView(draft, m_vocabulary.get());
    m_cacheLens = app::cacheLens(
        draft, m_tree ? app::runToCompare(*m_tree, draft) : nullptr, m_vocabulary.get());
    m_origins->setPrompt(m_view);
    write();
    say(*m_sources, sourceWords(draft.origin().sources, m_view));
    const auto trip = app::roundTrip(*m_answer, m_vocabulary.get());
    m_roundTrip->setForegroundRole(
        trip && trip->firstDifference ? QPalette::WindowText : QPalette::PlaceholderText);
    say(*m_roundTrip, roundTripWords(*m_answer, trip));
}

void PromptTab::write()
{
    if (!m_shown)
        return;
    const int scrolled = m_edit->verticalScrollBar()->value();
    const bool showsCache = m_lens->isChecked();
    if (m_asText->isChecked()) {
        m_edit->setAccessibleName(tr("The prompt as text"));
        writePromptText(*m_edit, m_view, showsCache);
    } else if (m_asIds->isChecked()) {
        m_edit->setAccessibleName(tr("The prompt as token ids"));
        writePromptIds(*m_edit, m_view, showsCache);
    } else {
        m_edit->setAccessibleName(tr("The prompt message by message"));
        writePromptMessages(*m_edit, m_view, showsCache);
    }
    m_edit->verticalScrollBar()->setValue(scrolled);
    writeWords();
}

void PromptTab::writeWords()
{
    QStringList words;
    if (m_lens->isChecked())
        words.append(tr("dashed line: reused from the cache; whole line: recomputed"));
    if (m_origins->origins().empty())
        words.append(tr("whose words it is was not recorded"));
    words.append(tr("bold: control token; italic: source text"));
    if (!m_view.isByTokens)
        words = { tr("The vocabulary is not at hand: the text is not divided into tokens. Italic: "
                     "source text") };
    else if (!m_view.isAsSent)
        words.append(tr("the tokens do not spell the formatted prompt exactly"));
    say(*m_legend, words.join(QStringLiteral("; ")) + QLatin1Char('.'));
}

void PromptTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    follow();
}

/// The tooltip of a stretch says whose words it is.
bool PromptTab::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::eventFilter(watched, event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QTextCursor cursor = m_edit->cursorForPosition(help->pos());
    cursor.movePosition(QTextCursor::NextCharacter);
    const QString words = cursor.charFormat().stringProperty(kSpanWords);
    QToolTip::showText(help->globalPos(), words.toHtmlEscaped(), m_edit);
    return true;
}

void PromptTab::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        write();
}

} // namespace ui
