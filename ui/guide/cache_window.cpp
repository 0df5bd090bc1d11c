#include "ui/guide/cache_window.h"

#include "ui/guide/fact_table.h"
#include "ui/inspect/piece_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kPauseMs = 150;
    constexpr int kLongestPiece = 60; // characters of a word in a sentence

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

    QString sideWords(app::CacheCondition condition, const app::CachedPrompt& prompt)
    {
        switch (condition) {
        case app::CacheCondition::Ids:
            return prompt.ids.size() == 1 ? tr("1 token") : tr("%1 tokens").arg(prompt.ids.size());
        case app::CacheCondition::Positions:
            return tr("from %1 on").arg(prompt.firstPosition);
        case app::CacheCondition::Model:
            return QString::fromStdString(prompt.modelName);
        case app::CacheCondition::TensorTypes:
            return QString::fromStdString(prompt.tensorTypes);
        case app::CacheCondition::Rope:
            return QString::fromStdString(prompt.rope);
        case app::CacheCondition::KvType:
            return QString::fromStdString(prompt.kvType);
        }
        return {};
    }

    /// words: where no model is there.
    QString pieceWords(const engine::ModelText* model, const std::vector<std::string>& words,
        const engine::TokenIds& ids, size_t index)
    {
        if (index >= ids.size())
            return tr("its end");
        const engine::TokenId id = ids[index];
        std::string bytes;
        if (model && model->tokenizer)
            bytes = model->tokenizer->pieceBytes(id);
        else if (size_t(id) < words.size())
            bytes = words[size_t(id)];
        if (bytes.empty() && model && model->tokenizer)
            return QStringLiteral("‘%1’").arg(
                QString::fromStdString(model->tokenizer->pieceText(id)));
        if (bytes.empty())
            return tr("token %1").arg(id);
        QString drawn = drawnPiece(bytes);
        if (drawn.size() > kLongestPiece)
            drawn = drawn.left(kLongestPiece) + QStringLiteral("…");
        return QStringLiteral("‘%1’").arg(drawn);
    }
}

CacheWindow::CacheWindow(app::Workspace& workspace, QWidget* parent)
    : QDialog(parent)
    , m_workspace(workspace)
    , m_proof(workspace)
    , m_heldText(new QPlainTextEdit(this))
    , m_askedText(new QPlainTextEdit(this))
    , m_keep(new QCheckBox(tr("&Keep it as this model holds it"), this))
    , m_sum(new NoteLabel(this))
    , m_answers(new FactTable({ tr("Condition"), tr("The same?"), tr("Held"), tr("Asked") }, this))
    , m_prove(new QPushButton(tr("&Prove it with the model"), this))
    , m_proofWords(new NoteLabel(this))
    , m_note(new NoteLabel(this))
{
    setWindowTitle(tr("Cache question"));
    resize(QSize(gridUnit(this) * 112, gridUnit(this) * 84).boundedTo(screen()->availableSize()));
    build();
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &CacheWindow::ask);
    connect(m_heldText, &QPlainTextEdit::textChanged, this, &CacheWindow::askSoon);
    connect(m_askedText, &QPlainTextEdit::textChanged, this, &CacheWindow::askSoon);
    connect(m_keep, &QCheckBox::toggled, this, &CacheWindow::keep);
    connect(&m_workspace, &app::Workspace::modelChanged, this, &CacheWindow::ask);
    connect(m_prove, &QPushButton::clicked, this, &CacheWindow::prove);
    connect(&m_proof, &app::ReuseProof::changed, this, &CacheWindow::showProof);
    setPrompts(tr("Find a train from Ghent to Bruges on 4 May, one way"),
        tr("Find a train from Antwerp to Ostend on 11 June, one way"));
}

void CacheWindow::build()
{
    m_heldText->setObjectName(QStringLiteral("held"));
    m_askedText->setObjectName(QStringLiteral("asked"));
    m_heldText->setTabChangesFocus(true);
    m_askedText->setTabChangesFocus(true);
    m_keep->setObjectName(QStringLiteral("keep"));
    m_keep->setToolTip(tr("Then load another model, and see which conditions no longer hold."));
    m_sum->setObjectName(QStringLiteral("sum"));
    m_answers->setObjectName(QStringLiteral("conditions"));
    m_answers->setAccessibleName(tr("Conditions of sharing"));
    m_answers->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_prove->setObjectName(QStringLiteral("prove"));
    m_prove->setAutoDefault(false);
    m_proofWords->setObjectName(QStringLiteral("proof"));
    for (NoteLabel* label : { m_sum, m_proofWords }) {
        label->setForegroundRole(QPalette::WindowText);
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
    prompts->addWidget(m_keep, 2, 0);
    m_note->setNote(tr("The texts are read as they are, without a chat template. A page of the "
                       "cache is found by every "
                       "token before it, so only an exact beginning can be shared: never the same "
                       "last word. Paging of "
                       "this kind was described by Kwon et al., September 2023 (PagedAttention); a "
                       "page here is %1 "
                       "positions.")
                        .arg(app::cachePageLength()));
    auto* column = new QVBoxLayout(this);
    column->addLayout(prompts, 2);
    column->addWidget(m_sum);
    column->addWidget(m_answers, 4);
    column->addWidget(m_prove, 0, Qt::AlignLeft);
    column->addWidget(m_proofWords);
    column->addWidget(m_note);
}

void CacheWindow::setPrompts(const QString& held, const QString& asked)
{
    m_heldText->setPlainText(held);
    m_askedText->setPlainText(asked);
    ask();
}

/// The proof was of other texts.
void CacheWindow::askSoon()
{
    m_proof.cancel();
    m_proofWords->setNote({});
    m_pause.start();
}

void CacheWindow::readHeld()
{
    const std::string text = m_heldText->toPlainText().toStdString();
    m_held = text.size() > kLongestText ? app::CachedPrompt()
                                        : app::cachedPrompt(*m_workspace.model(), text);
    m_heldModel = m_workspace.model()->text;
}

void CacheWindow::ask()
{
    m_pause.stop();
    m_question.reset();
    m_proof.cancel();
    m_proofWords->setNote({});
    m_keep->setEnabled(m_keep->isChecked() || m_workspace.modelState() == app::ModelState::Ready);
    m_words.clear();
    const std::string asked = m_askedText->toPlainText().toStdString();
    const std::string held = m_heldText->toPlainText().toStdString();
    m_isTooLong = std::max(held.size(), asked.size()) > kLongestText;
    if (m_isTooLong)
        return showAnswers();
    if (hasModel()) {
        if (!m_keep->isChecked())
            readHeld();
        m_asked = app::cachedPrompt(*m_workspace.model(), asked);
    } else if (!m_keep->isChecked()) {
        m_held = app::wordPrompt(held, m_words);
        m_asked = app::wordPrompt(asked, m_words);
        m_heldModel = nullptr;
    }
    if (hasModel() || !m_keep->isChecked())
        m_question = app::cacheQuestion(m_held, m_asked, app::cachePageLength());
    showAnswers();
}

bool CacheWindow::hasModel() const
{
    return m_workspace.model() && m_workspace.modelState() == app::ModelState::Ready;
}

void CacheWindow::keep(bool isKept)
{
    m_heldText->setReadOnly(isKept); // its tokens are those of the model that was loaded then
    if (isKept && m_pause.isActive() && hasModel())
        readHeld(); // what was typed last
    ask();
}

QString CacheWindow::heldPiece(size_t index) const
{
    return pieceWords(m_heldModel.get(), m_words.words(), m_held.ids, index);
}

QString CacheWindow::askedPiece(size_t index) const
{
    return pieceWords(hasModel() ? m_workspace.model()->text.get() : nullptr, m_words.words(),
        m_asked.ids, index);
}

bool CacheWindow::canProve() const
{
    return hasModel() && m_question && !m_held.ids.empty() && !m_asked.ids.empty()
        && m_held.model == m_asked.model && !m_proof.isUnderWay();
}

QString CacheWindow::sharedWords() const
{
    const app::CacheQuestion& question = *m_question;
    if (question.obstacle)
        return (question.commonCount == m_asked.ids.size()
                ? tr(" But nothing can be shared, for not all conditions hold: see %1.")
                : tr(" And nothing before it either, for not all conditions hold: see %1."))
            .arg(conditionWords(*question.obstacle));
    if (question.shareableTokens < question.commonCount)
        return (question.commonCount == 1
                       ? tr(" It must be computed for its scores.")
                       : tr(" All can be shared but the last, which must be computed for its "
                            "scores."))
            + pageWords();
    return pageWords();
}

QString CacheWindow::pageWords() const
{
    const app::CacheQuestion& question = *m_question;
    const QString pages = question.shareablePages == 0 ? tr(" No whole page can be shared")
        : question.shareablePages == 1
        ? tr(" 1 whole page can be shared")
        : tr(" %1 whole pages can be shared").arg(question.shareablePages);
    const size_t rest = question.shareableTokens % size_t(app::cachePageLength());
    if (rest == 0)
        return pages + QLatin1Char('.');
    if (question.shareableTokens < question.commonCount)
        return pages
            + (rest == 1 ? tr("; the 1 token before the last that does not fill one is copied.")
                         : tr("; the %1 tokens before the last that do not fill one are copied.")
                               .arg(rest));
    return pages
        + (rest == 1 ? tr("; the 1 token before the difference that does not fill one is copied.")
                     : tr("; the %1 tokens before the difference that do not fill one are copied.")
                           .arg(rest));
}

QString CacheWindow::differenceWords() const
{
    const size_t common = m_question->commonCount;
    if (common == m_asked.ids.size())
        return common == 1
            ? tr("The 1 token that is asked is the first that is held.")
            : tr("The %1 tokens that are asked are the first that are held.").arg(common);
    return tr("Not shareable past token %1: there %2 is held and %3 is asked.")
        .arg(common)
        .arg(heldPiece(common), askedPiece(common));
}

QString CacheWindow::sumWords() const
{
    if (m_isTooLong)
        return tr("One of the texts is longer than %1 KiB: that is too long to be compared here.")
            .arg(kLongestText / 1024);
    if (!m_question)
        return tr("No model is loaded: which tokens the texts are depends on it.");
    if (m_held.ids.empty() || m_asked.ids.empty())
        return tr("One of the texts is empty: there is nothing to share.");
    const app::CacheQuestion& question = *m_question;
    const bool isAllAsked = question.commonCount == m_asked.ids.size();
    const QString ends = question.firstDifference && question.endsAlike && !isAllAsked
        ? tr(" That both end in %1 changes nothing.").arg(heldPiece(m_held.ids.size() - 1))
        : QString();
    if (!hasModel()) {
        const QString note = tr("No model is loaded, so words stand for tokens here. ");
        return question.firstDifference
            ? note + differenceWords() + ends
            : note + tr("The same %1 tokens from the first to the last.").arg(question.commonCount);
    }
    if (question.firstDifference)
        return differenceWords() + sharedWords() + ends;
    if (question.obstacle)
        return tr(
            "The same %1 tokens, but nothing can be shared, for not all conditions hold: see %2.")
            .arg(question.commonCount)
            .arg(conditionWords(*question.obstacle));
    return tr("The same %1 tokens: all can be shared but the last, which must be computed for its "
              "scores.")
               .arg(question.commonCount)
        + pageWords();
}

void CacheWindow::showAnswers()
{
    std::vector<QStringList> rows;
    if (m_question)
        for (const app::CacheAnswer& answer : m_question->answers)
            rows.push_back({ conditionWords(answer.condition), yesOrNo(*m_question, answer),
                sideWords(answer.condition, m_held), sideWords(answer.condition, m_asked) });
    m_answers->setFacts(rows);
    m_sum->setNote(sumWords());
    m_prove->setEnabled(canProve());
}

void CacheWindow::prove()
{
    if (m_pause.isActive())
        ask(); // the proof is of what is on the screen
    if (canProve())
        m_proof.start(m_held.ids, m_asked.ids);
}

void CacheWindow::showProof()
{
    m_prove->setEnabled(canProve());
    const auto line = [](const QString& name, const std::optional<engine::RunEnded>& ended) {
        if (!ended)
            return tr("%1: …").arg(name);
        if (ended->ledger.error)
            return tr("%1: %2").arg(name, QString::fromStdString(ended->ledger.error->message));
        if (ended->ledger.cancelledBy)
            return tr("%1: cancelled").arg(name);
        return tr("%1: %2 tokens reused, %3 computed: “%4”")
            .arg(name)
            .arg(ended->cache.reusedTokens)
            .arg(ended->cache.computedTokens)
            .arg(QString::fromStdString(ended->text).simplified());
    };
    QString words;
    if (const auto& holding = m_proof.holding();
        holding && (holding->ledger.error || holding->ledger.cancelledBy))
        words = line(tr("The held prompt was not read, so nothing is proved"), holding)
            + QLatin1Char('\n');
    words += line(tr("With reuse"), m_proof.withReuse()) + QLatin1Char('\n')
        + line(tr("Without"), m_proof.withoutReuse());
    if (const auto isSame = m_proof.isSame())
        words += QLatin1Char('\n')
            + (*isSame ? tr("The same tokens, as it must be.")
                       : tr("Different tokens: this is a fault of the program."));
    m_proofWords->setNote(words);
}

} // namespace ui
