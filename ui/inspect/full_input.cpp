#include "ui/inspect/full_input.h"

#include "ui/chat/text_surface.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLocale>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

namespace {
    constexpr int kShownLines = 10;

    QToolButton* flatButton(const QString& text, const char* name, QWidget* parent)
    {
        auto* button = new QToolButton(parent);
        button->setObjectName(QString::fromLatin1(name));
        button->setText(text);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        return button;
    }
}

QString inputText(const app::TokenTrack& track, int end)
{
    std::string bytes;
    for (int i = 0; i < end; ++i) {
        const app::TrackToken& token = track.tokens()[size_t(i)];
        const std::string piece = !token.bytes.empty() ? token.bytes
            : !token.controlText.empty()               ? token.controlText
                                                       : track.pieceText(i, token.id);
        bytes += piece.empty() ? "⟨" + std::to_string(token.id) + "⟩" : piece;
    }
    return QString::fromStdString(bytes);
}

QString inputIds(const app::TokenTrack& track, int end)
{
    QString ids;
    for (int i = 0; i < end; ++i)
        ids += (i == 0 ? QString() : QStringLiteral(", "))
            + QString::number(track.tokens()[size_t(i)].id);
    return ids;
}

FullInput::FullInput(QWidget* parent)
    : QWidget(parent)
    , m_unfold(flatButton({}, "unfoldInput", this))
    , m_asText(flatButton(tr("Text"), "inputAsText", this))
    , m_asIds(flatButton(tr("Ids"), "inputAsIds", this))
    , m_copy(flatButton(tr("Copy"), "copyInput", this))
    , m_bar(new QWidget(this))
{
    m_unfold->setCheckable(true);
    m_unfold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_unfold->setArrowType(Qt::RightArrow);
    auto* kinds = new QButtonGroup(this);
    for (QToolButton* button : { m_asText, m_asIds }) {
        button->setCheckable(true);
        kinds->addButton(button);
    }
    m_asText->setChecked(true);
    m_asText->setAccessibleName(tr("Show the input as text"));
    m_asIds->setAccessibleName(tr("Show the input as token ids"));
    m_copy->setIcon(icon(IconName::Copy));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_copy->setAccessibleName(tr("Copy the input"));

    auto* buttons = new QHBoxLayout(m_bar);
    buttons->setContentsMargins(0, 0, 0, 0);
    for (QToolButton* button : { m_asText, m_asIds })
        buttons->addWidget(button);
    buttons->addStretch(1);
    buttons->addWidget(m_copy);
    m_bar->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gridUnit(this) / 2);
    column->addWidget(m_unfold, 0, Qt::AlignLeft);
    column->addWidget(m_bar);

    connect(m_unfold, &QToolButton::toggled, this, [this](bool unfolded) {
        m_unfold->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
        fill();
        emit resized();
    });
    connect(kinds, &QButtonGroup::buttonToggled, this, &FullInput::fill);
    connect(m_copy, &QToolButton::clicked, this, [this] { copyToClipboard(text()); });
}

void FullInput::show(const app::TokenTrack& track, int token)
{
    m_track = &track;
    m_token = token;
    m_unfold->setText(token == 1
            ? tr("The full input at this step (1 token)")
            : tr("The full input at this step (%1 tokens)").arg(QLocale().toString(token)));
    m_unfold->setAccessibleName(m_unfold->text());
    fill();
}

void FullInput::clear()
{
    m_track = nullptr;
    if (m_edit)
        m_edit->clear();
}

bool FullInput::isUnfolded() const { return m_unfold->isChecked(); }

QString FullInput::text() const
{
    if (!m_track)
        return {};
    return m_asIds->isChecked() ? inputIds(*m_track, m_token) : inputText(*m_track, m_token);
}

void FullInput::fill()
{
    m_bar->setVisible(isUnfolded());
    if (!isUnfolded()) {
        if (m_edit)
            m_edit->hide();
        return;
    }
    if (!m_edit) {
        m_edit = new QPlainTextEdit(this);
        m_edit->setObjectName(QStringLiteral("inputText"));
        m_edit->setReadOnly(true);
        m_edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        m_edit->setTabChangesFocus(true);
        QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        font.setPointSizeF(this->font().pointSizeF());
        m_edit->setFont(font);
        m_edit->setFixedHeight(QFontMetrics(font).lineSpacing() * kShownLines);
        layout()->addWidget(m_edit);
    }
    m_edit->setAccessibleName(m_asIds->isChecked() ? tr("The ids the model had read")
                                                   : tr("The text the model had read"));
    m_edit->setPlainText(text());
    m_edit->moveCursor(QTextCursor::End); // the newest is nearest to the token
    m_edit->show();
}

} // namespace ui
