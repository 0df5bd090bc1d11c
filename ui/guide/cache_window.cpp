#include "ui/guide/cache_window.h"

#include "app/compare/cached_prompt.h"
#include "ui/inspect/piece_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace ui {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("CacheWindow", text); }

    QString conditionWords(app::CacheCondition condition)
    {
        switch (condition) {
        case app::CacheCondition::Ids:
            return tr("Token ids, from the first on");
        case app::CacheCondition::Positions:
            return tr("Positions");
        case app::CacheCondition::Model:
            return tr("Model file");
        case app::CacheCondition::TensorTypes:
            return tr("Tensor types");
        case app::CacheCondition::Rope:
            return tr("Rotation of keys (RoPE)");
        case app::CacheCondition::KvType:
            return tr("Number type of the cache");
        }
        return {};
    }

    QString yesOrNo(const app::CacheQuestion& question, const app::CacheAnswer& answer)
    {
        if (!answer.holds)
            return tr("not known, so nothing is shared");
        if (answer.condition == app::CacheCondition::Ids && question.firstDifference)
            return question.commonCount == 0
                ? tr("no: the first differs")
                : tr("yes, up to token %1; no from there on").arg(question.commonCount);
        return *answer.holds ? tr("yes") : tr("no");
    }
}

CacheWindow::CacheWindow(app::Workspace& workspace, QWidget* parent)
    : QDialog(parent)
    , m_workspace(workspace)
    , m_proof(workspace)
    , m_heldText(new QPlainTextEdit(this))
    , m_askedText(new QPlainTextEdit(this))
    , m_sum(new QLabel(this))
    , m_answers(new QTableWidget(0, 2, this))
    , m_prove(new QPushButton(tr("&Prove it with the model"), this))
    , m_proofWords(new QLabel(this))
    , m_note(new NoteLabel(this))
{
    const int unit = gridUnit(this);
    setWindowTitle(tr("Cache question"));
    resize(unit * 100, unit * 76);
    m_heldText->setObjectName(QStringLiteral("held"));
    m_askedText->setObjectName(QStringLiteral("asked"));
    m_heldText->setTabChangesFocus(true);
    m_askedText->setTabChangesFocus(true);
    m_sum->setObjectName(QStringLiteral("sum"));
    m_answers->setObjectName(QStringLiteral("conditions"));
    m_answers->setAccessibleName(tr("Conditions of sharing"));
    m_answers->setHorizontalHeaderLabels({ tr("Condition"), tr("The same?") });
    m_answers->verticalHeader()->hide();
    m_answers->horizontalHeader()->setStretchLastSection(true);
    m_answers->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_answers->setTabKeyNavigation(false);
    m_prove->setObjectName(QStringLiteral("prove"));
    m_prove->setAutoDefault(false);
    m_proofWords->setObjectName(QStringLiteral("proof"));
    for (QLabel* label : { m_sum, m_proofWords }) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    auto* heldName = new QLabel(tr("The cache &holds"), this);
    auto* askedName = new QLabel(tr("&Asked next"), this);
    heldName->setTextFormat(Qt::PlainText);
    askedName->setTextFormat(Qt::PlainText);
    heldName->setBuddy(m_heldText);
    askedName->setBuddy(m_askedText);
    auto* prompts = new QGridLayout;
    prompts->addWidget(heldName, 0, 0);
    prompts->addWidget(askedName, 0, 1);
    prompts->addWidget(m_heldText, 1, 0);
    prompts->addWidget(m_askedText, 1, 1);
    m_note->setNote(tr("A page of the cache is found by every token before it, so only an exact beginning can be "
                       "shared: never the same last word. Paging of this kind was described by Kwon et al., "
                       "September 2023 (PagedAttention); a page here is %1 positions.")
                        .arg(app::cachePageLength()));
    auto* column = new QVBoxLayout(this);
    column->addLayout(prompts, 2);
    column->addWidget(m_sum);
    column->addWidget(m_answers, 3);
    column->addWidget(m_prove, 0, Qt::AlignLeft);
    column->addWidget(m_proofWords);
    column->addWidget(m_note);
    connect(m_heldText, &QPlainTextEdit::textChanged, this, &CacheWindow::ask);
    connect(m_askedText, &QPlainTextEdit::textChanged, this, &CacheWindow::ask);
    connect(&m_workspace, &app::Workspace::modelChanged, this, &CacheWindow::ask);
    connect(m_prove, &QPushButton::clicked, this, &CacheWindow::prove);
    connect(&m_proof, &app::ReuseProof::changed, this, &CacheWindow::showProof);
    setPrompts(tr("Find a train from Ghent to Bruges, leaving after nine, on Monday"),
        tr("Find a train from Antwerp to Ostend, leaving after noon, on Monday"));
}

void CacheWindow::setPrompts(const QString& held, const QString& asked)
{
    const QSignalBlocker blocker(m_heldText);
    m_heldText->setPlainText(held);
    m_askedText->setPlainText(asked);
    ask();
}

void CacheWindow::ask()
{
    m_question.reset();
    m_proof.cancel();
    m_proofWords->clear();
    if (m_workspace.model() && m_workspace.modelState() == app::ModelState::Ready) {
        m_held = app::cachedPrompt(*m_workspace.model(), m_heldText->toPlainText().toStdString());
        m_asked = app::cachedPrompt(*m_workspace.model(), m_askedText->toPlainText().toStdString());
        m_question = app::cacheQuestion(m_held, m_asked, app::cachePageLength());
    }
    showAnswers();
}

QString CacheWindow::pieceAt(const engine::TokenIds& ids, size_t index) const
{
    if (index >= ids.size())
        return tr("its end");
    return QStringLiteral("‘%1’").arg(
        drawnPiece(m_workspace.model()->text->tokenizer->pieceBytes(ids[index])));
}

void CacheWindow::showAnswers()
{
    m_answers->setRowCount(0);
    m_prove->setEnabled(m_question && !m_held.ids.empty() && !m_asked.ids.empty() && !m_proof.isUnderWay());
    if (!m_question) {
        m_sum->setText(tr("No model is loaded: which tokens the texts are depends on it."));
        return;
    }
    const app::CacheQuestion& question = *m_question;
    QString sum;
    if (!question.firstDifference)
        sum = tr("The same %1 tokens: all can be shared but the last, which must be computed for its scores.")
                  .arg(question.commonCount);
    else
        sum = tr("Not shareable past token %1: there %2 is held and %3 is asked. %4 whole pages can be shared, the "
                 "other tokens before it are copied within a page.")
                  .arg(question.commonCount)
                  .arg(pieceAt(m_held.ids, question.commonCount), pieceAt(m_asked.ids, question.commonCount))
                  .arg(question.shareablePages);
    if (question.firstDifference && question.endsAlike)
        sum += tr(" That both end in %1 changes nothing.").arg(pieceAt(m_held.ids, m_held.ids.size() - 1));
    m_sum->setText(sum);
    for (const app::CacheAnswer& answer : question.answers) {
        const int row = m_answers->rowCount();
        m_answers->insertRow(row);
        m_answers->setItem(row, 0, new QTableWidgetItem(conditionWords(answer.condition)));
        m_answers->setItem(row, 1, new QTableWidgetItem(yesOrNo(question, answer)));
    }
    m_answers->resizeColumnToContents(0);
}

void CacheWindow::prove()
{
    m_proof.start(m_held.ids, m_asked.ids);
}

void CacheWindow::showProof()
{
    m_prove->setEnabled(m_question && !m_proof.isUnderWay());
    const auto line = [](const QString& name, const std::optional<engine::RunEnded>& ended) {
        if (!ended)
            return tr("%1: …").arg(name);
        if (ended->ledger.error)
            return tr("%1: %2").arg(name, QString::fromStdString(ended->ledger.error->message));
        return tr("%1: %2 tokens reused, %3 computed: “%4”")
            .arg(name)
            .arg(ended->cache.reusedTokens)
            .arg(ended->cache.computedTokens)
            .arg(QString::fromStdString(ended->text).simplified());
    };
    QString words = line(tr("With reuse"), m_proof.withReuse()) + QLatin1Char('\n')
        + line(tr("Without"), m_proof.withoutReuse());
    if (const auto isSame = m_proof.isSame())
        words += QLatin1Char('\n')
            + (*isSame ? tr("The same tokens, as it must be.") : tr("Different tokens: this is a fault of the program."));
    m_proofWords->setText(words);
}

} // namespace ui
