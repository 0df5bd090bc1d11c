#include "ui/chat/plain_text_page.h"

#include "app/conversation/token_place.h"
#include "app/conversation/verdict_line.h"
#include "ui/chat/answer_footer.h"
#include "ui/chat/error_details.h"
#include "ui/chat/ledger_view.h"
#include "ui/chat/text_surface.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace ui {

PlainTextPage::PlainTextPage(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_edit(new QPlainTextEdit(this))
    , m_problem(new ErrorDetails(this))
    , m_footer(new AnswerFooter(this))
    , m_ledger(new LedgerView(this))
    , m_count(new QLabel(this))
    , m_button(new QPushButton(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    const int unit = gridUnit(this);
    m_edit->setFrameShape(QFrame::NoFrame);
    m_edit->setAccessibleName(tr("Page"));
    m_edit->setPlaceholderText(
        tr("Write the beginning. The model writes on from the caret: no roles, no template."));
    m_edit->document()->setDocumentMargin(unit * 3);
    m_count->setTextFormat(Qt::PlainText);
    m_count->setAccessibleName(tr("Tokens before the caret"));
    m_button->setObjectName(QStringLiteral("writeOnButton"));
    m_problem->hide();
    m_ledger->hide();
    m_footer->setActionsShown(true);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(unit * 3, unit, unit * 3, unit * 2);
    row->setSpacing(unit);
    row->addStretch(1);
    row->addWidget(m_count);
    row->addWidget(m_button);
    auto* footerRow = new QHBoxLayout;
    footerRow->setContentsMargins(unit * 3, unit, unit * 3, 0);
    footerRow->addWidget(m_footer);
    auto* ledgerRow = new QHBoxLayout;
    ledgerRow->setContentsMargins(unit * 3, 0, unit * 3, 0);
    ledgerRow->addWidget(m_ledger);
    auto* problemRow = new QHBoxLayout;
    problemRow->setContentsMargins(unit * 3, 0, unit * 3, 0);
    problemRow->addWidget(m_problem);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_edit, 1);
    column->addLayout(problemRow);
    column->addLayout(footerRow);
    column->addLayout(ledgerRow);
    column->addLayout(row);

    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_conversation && m_conversation->activeDraft())
            stop();
        else
            writeOn();
    });
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        if (m_conversation && !m_conversation->activeDraft())
            m_conversation->setDocument(m_edit->toPlainText());
        countTokens();
    });
    connect(m_edit, &QPlainTextEdit::cursorPositionChanged, this, &PlainTextPage::countTokens);
    connect(m_footer, &AnswerFooter::copyRequested, this, [this] {
        if (const app::Answer* written = m_conversation ? m_conversation->lastAnswer() : nullptr)
            copyToClipboard(m_copiesVerdict ? app::textWithVerdict(*written)
                                            : QString::fromStdString(written->text()));
    });
    connect(m_footer, &AnswerFooter::ledgerRequested, this,
        [this] { setLedgerShown(m_ledger->isHidden()); });
    connect(m_footer, &AnswerFooter::inspectRequested, this, [this] {
        if (m_conversation && m_conversation->turnCount() > 0)
            emit inspectRequested(m_conversation->turnCount() - 1);
    });
    connect(m_ledger, &LedgerView::closeRequested, this, [this] {
        setLedgerShown(false);
        m_footer->chip()->setFocus();
    });
    connect(m_ledger, &LedgerView::decidingTokenRequested, this, &PlainTextPage::showDecidingToken);
    connect(m_problem, &ErrorDetails::actionTriggered, this, &PlainTextPage::openModelRequested);
    connect(&workspace, &app::Workspace::modelChanged, this, &PlainTextPage::showProblem);
}

void PlainTextPage::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    m_tints.clear();
    m_conversation = nullptr; // the document changes hands: nothing may be written back meanwhile
    m_edit->setExtraSelections({});
    m_edit->setPlainText(conversation ? conversation->document() : QString());
    m_edit->moveCursor(QTextCursor::End);
    m_conversation = conversation;
    if (conversation) {
        connect(conversation, &app::Conversation::draftChanged, this, &PlainTextPage::showDraft);
        connect(conversation, &app::Conversation::turnAdded, this, &PlainTextPage::showDraft);
        connect(
            conversation, &app::Conversation::problemChanged, this, &PlainTextPage::showProblem);
    }
    showDraft();
    showProblem();
}

void PlainTextPage::showDocument()
{
    const QString& wanted = m_conversation->document();
    const QString shown = m_edit->toPlainText();
    if (shown == wanted)
        return;
    // Only what is new is put in, so that scrolling and selections stay.
    const qsizetype position = m_conversation->writingPosition();
    const qsizetype suffix = wanted.size() - position
        - qsizetype(QString::fromStdString(m_conversation->lastDraft()->text()).size());
    const qsizetype shownEnd = shown.size() - suffix;
    const bool grows = wanted.startsWith(QStringView(shown).left(shownEnd)) && shownEnd >= position;
    QScrollBar* bar = m_edit->verticalScrollBar();
    const bool follows = bar->value() >= bar->maximum();
    QTextCursor cursor(m_edit->document());
    if (grows) {
        cursor.setPosition(int(shownEnd));
        cursor.insertText(wanted.mid(shownEnd, wanted.size() - suffix - shownEnd));
    } else {
        cursor.select(QTextCursor::Document);
        cursor.insertText(wanted);
    }
    if (follows)
        bar->setValue(bar->maximum());
}

void PlainTextPage::showDraft()
{
    const app::Draft* draft = m_conversation ? m_conversation->lastDraft() : nullptr;
    const bool writing = m_conversation && m_conversation->activeDraft();
    m_edit->setReadOnly(writing);
    m_button->setText(writing ? tr("Stop") : tr("Write on"));
    m_button->setToolTip(
        writing ? tr("Stop writing (Esc)") : tr("Write on from the caret (Ctrl+Enter)"));
    m_button->setIcon(icon(writing ? IconName::Stop : IconName::Send));
    m_footer->setVisible(draft != nullptr);
    setLedgerShown(!m_ledger->isHidden());
    if (!draft)
        return;
    showDocument();
    const qsizetype length = QString::fromStdString(draft->text()).size();
    markWritten(length);
    if (length > 0 && !draft->firstOutputMs())
        m_conversation->notePainted(
            m_conversation->turnCount() - 1, m_conversation->lastAnswer()->text().size());
    m_footer->setWords(draftWords(*draft));
    if (!draft->ending())
        return;
    QTextCursor caret = m_edit->textCursor();
    caret.setPosition(int(m_conversation->writingPosition() + length));
    m_edit->setTextCursor(caret);
}

void PlainTextPage::setLedgerShown(bool shown)
{
    const app::Draft* draft = m_conversation ? m_conversation->lastDraft() : nullptr;
    shown = shown && draft && draft->ending();
    m_ledger->setVisible(shown);
    m_footer->setLedgerShown(shown);
    if (!shown)
        return;
    m_ledger->setWords(ledgerWords(*draft));
    m_ledger->followInTabOrder(m_footer->chip());
}

void PlainTextPage::showDecidingToken()
{
    const app::Draft* draft = m_conversation ? m_conversation->lastDraft() : nullptr;
    if (!draft || !draft->ending())
        return;
    const app::TextBytes bytes
        = app::textOfToken(*draft, draft->ending()->ledger.decidingTokenIndex.value_or(-1));
    const auto placeOf = [&](size_t byteOffset) {
        return int(m_conversation->writingPosition()
            + QString::fromStdString(draft->text().substr(0, byteOffset)).size());
    };
    QTextCursor caret = m_edit->textCursor();
    caret.setPosition(placeOf(bytes.start));
    caret.setPosition(placeOf(bytes.end), QTextCursor::KeepAnchor);
    m_edit->setTextCursor(caret);
    m_edit->setFocus();
}

bool PlainTextPage::event(QEvent* event)
{
    // What is open here closes before Esc stops anything.
    if (event->type() == QEvent::ShortcutOverride && !m_ledger->isHidden()
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void PlainTextPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || m_ledger->isHidden())
        return event->ignore();
    setLedgerShown(false);
    m_footer->chip()->setFocus();
}

void PlainTextPage::markWritten(qsizetype length)
{
    QTextEdit::ExtraSelection written;
    written.cursor = QTextCursor(m_edit->document());
    const int start = int(m_conversation->writingPosition());
    const int end = std::min(start + int(length), m_edit->document()->characterCount() - 1);
    written.cursor.setPosition(std::min(start, end));
    written.cursor.setPosition(end, QTextCursor::KeepAnchor);
    written.format.setBackground(Theme::of(palette()).softBlock);
    QList<QTextEdit::ExtraSelection> selections { written };
    const std::string& text = m_conversation->lastAnswer()->text();
    qsizetype position = start; // of the byte that the tints before have reached
    size_t reached = 0;
    const auto placeOf = [&](size_t byte) {
        byte = std::min(byte, text.size());
        if (byte > reached) {
            position += QString::fromUtf8(text.data() + reached, qsizetype(byte - reached)).size();
            reached = byte;
        }
        return std::min(int(position), end);
    };
    for (const ByteTint& tint : m_tints) {
        if (!tint.colour.isValid() || tint.bytes.start < reached)
            continue; // a character of several tokens has the tint of the first
        QTextEdit::ExtraSelection selection { written };
        selection.cursor.setPosition(placeOf(tint.bytes.start));
        selection.cursor.setPosition(placeOf(tint.bytes.end), QTextCursor::KeepAnchor);
        selection.format.setBackground(tint.colour);
        selection.format.setFontUnderline(tint.underline >= 1.5); // half of the tallest
        selections.append(selection);
    }
    m_edit->setExtraSelections(selections);
}

void PlainTextPage::setTints(size_t from, const std::vector<ByteTint>& tints)
{
    m_tints.resize(std::min(from, m_tints.size()));
    m_tints.insert(m_tints.end(), tints.begin(), tints.end());
    if (const app::Draft* draft = m_conversation ? m_conversation->lastDraft() : nullptr)
        markWritten(QString::fromStdString(draft->text()).size());
}

void PlainTextPage::showProblem()
{
    const std::optional<app::Problem>* problem
        = m_conversation ? &m_conversation->problem() : nullptr;
    if (!problem || !*problem)
        problem = &m_workspace.modelProblem();
    m_problem->setVisible(problem->has_value());
    if (!problem->has_value())
        return;
    m_problem->setError((*problem)->title, (*problem)->message, (*problem)->details);
    const bool needsModel = m_workspace.modelState() == app::ModelState::None;
    m_problem->setAction(needsModel ? tr("Open a GGUF file…") : QString());
}

void PlainTextPage::countTokens()
{
    const auto count = m_edit->isReadOnly()
        ? std::nullopt
        : m_workspace.countTokens(m_edit->toPlainText().left(m_edit->textCursor().position()));
    m_count->setText(count ? tr("%L1 tokens before the caret").arg(*count) : QString());
}

void PlainTextPage::writeOn()
{
    if (m_conversation && !m_conversation->activeDraft())
        m_workspace.writeOn(*m_conversation, m_edit->textCursor().position());
}

void PlainTextPage::stop()
{
    if (m_conversation)
        m_workspace.stop(*m_conversation);
}

} // namespace ui
