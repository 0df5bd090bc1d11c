#include "ui/guide/question_card.h"

#include "ui/theme/labels.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

namespace {
    NoteLabel* wrapped(QWidget* parent, const char* name)
    {
        auto* label = new NoteLabel(parent);
        label->setForegroundRole(QPalette::WindowText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setObjectName(QLatin1String(name));
        return label;
    }
}

QuestionCard::QuestionCard(QWidget* parent)
    : QWidget(parent)
    , m_ask(wrapped(this, "ask"))
    , m_line(new QLineEdit(this))
    , m_give(new QPushButton(tr("&Answer"), this))
    , m_given(new NoteLabel(this))
    , m_answer(wrapped(this, "answer"))
    , m_tool(new QPushButton(this))
    , m_next(new QPushButton(tr("Next &question"), this))
{
    QFont bold = m_ask->font();
    bold.setBold(true);
    m_ask->setFont(bold);
    m_line->setObjectName(QStringLiteral("yourAnswer"));
    m_line->setPlaceholderText(tr("What do you think?"));
    m_line->setAccessibleName(tr("Your answer"));
    m_give->setObjectName(QStringLiteral("give"));
    m_tool->setObjectName(QStringLiteral("tool"));
    m_next->setObjectName(QStringLiteral("nextQuestion"));
    for (QPushButton* button : { m_give, m_tool, m_next })
        button->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->addWidget(m_line, 1);
    row->addWidget(m_give);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_tool);
    buttons->addWidget(m_next);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_ask);
    column->addLayout(row);
    column->addWidget(m_given);
    column->addWidget(m_answer);
    column->addLayout(buttons);
    connect(m_line, &QLineEdit::returnPressed, this, &QuestionCard::give);
    connect(m_give, &QPushButton::clicked, this, &QuestionCard::give);
    connect(m_next, &QPushButton::clicked, this, &QuestionCard::nextRequested);
    connect(m_tool, &QPushButton::clicked, this, [this] { emit toolRequested(m_opens); });
    setAsked({});
}

void QuestionCard::give()
{
    if (!m_line->text().trimmed().isEmpty())
        emit given(m_line->text().trimmed());
}

void QuestionCard::setAsked(const std::optional<app::TraceAsked>& asked)
{
    setVisible(asked.has_value());
    if (!asked) {
        // A hidden label is still read out by assistive software: nothing of the last walk stays.
        for (NoteLabel* label : { m_ask, m_given, m_answer })
            label->setNote({});
        m_opens = app::TraceTool::None;
        return m_line->clear();
    }
    const bool isWaiting = !asked->given;
    const QString ask = QString::fromStdString(asked->ask);
    if (m_ask->text() != ask)
        m_line->clear();
    m_ask->setNote(ask);
    m_line->setVisible(isWaiting);
    m_give->setVisible(isWaiting);
    m_given->setVisible(!isWaiting);
    m_answer->setVisible(!isWaiting);
    m_next->setVisible(!isWaiting && asked->hasNext);
    m_opens = asked->opens;
    m_tool->setVisible(!isWaiting && m_opens != app::TraceTool::None);
    m_tool->setText(m_opens == app::TraceTool::CacheQuestion ? tr("Open the cache ques&tion…")
                                                             : tr("&Look at a capped answer…"));
    // Nothing of the answer exists before the person's own.
    m_given->setNote(
        isWaiting ? QString() : tr("You: %1").arg(QString::fromStdString(*asked->given)));
    m_answer->setNote(isWaiting ? QString() : QString::fromStdString(*asked->answer));
    if (isWaiting)
        m_line->setFocus();
    else if (asked->hasNext)
        m_next->setFocus();
}

} // namespace ui
