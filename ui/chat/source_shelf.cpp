#include "ui/chat/source_shelf.h"

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace ui {

namespace {
    constexpr int kNameCharacters = 32;

    QString nameShown(const QString& name)
    {
        return name.size() <= kNameCharacters ? name
                                              : name.left(kNameCharacters - 1) + QChar(0x2026);
    }

    QString countWords(std::optional<int> tokenCount)
    {
        if (!tokenCount)
            return {};
        return *tokenCount == 1 ? SourceChip::tr("1 token")
                                : SourceChip::tr("%L1 tokens").arg(*tokenCount);
    }
}

SourceChip::SourceChip(const app::SourceText& source, QWidget* parent)
    : QWidget(parent)
    , m_id(source.id)
    , m_name(source.name)
    , m_open(new QToolButton(this))
    , m_remove(new QToolButton(this))
{
    setObjectName(QStringLiteral("sourceChip"));
    m_open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_open->setIcon(icon(IconName::Document));
    setTokenCount(std::nullopt);
    m_open->setToolTip(tr("%1 goes into the prompt before your first message. Show it.")
                           .arg(source.name)
                           .toHtmlEscaped());
    m_remove->setIcon(icon(IconName::Close));
    m_remove->setAccessibleName(tr("Remove the source text %1").arg(source.name));
    m_remove->setToolTip(tr("Remove from the chat; it can be brought back for a while"));
    for (QToolButton* button : { m_open, m_remove }) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    auto* line = new QHBoxLayout(this);
    const int gap = gridUnit(this) / 4;
    line->setContentsMargins(gap, gap, gap, gap);
    line->setSpacing(0);
    line->addWidget(m_open);
    line->addWidget(m_remove);
}

void SourceChip::setTokenCount(std::optional<int> tokenCount)
{
    const QString count = countWords(tokenCount);
    const QString shown = nameShown(m_name).replace(u'&', QStringLiteral("&&"));
    m_open->setText(count.isEmpty() ? shown : QStringLiteral("%1 · %2").arg(shown, count));
    m_open->setAccessibleName(count.isEmpty()
            ? tr("Show the source text %1").arg(m_name)
            : tr("Show the source text %1, %2").arg(m_name, count));
}

void SourceChip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = Theme::of(palette());
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), gridUnit(this), gridUnit(this));
}

SourceShelf::SourceShelf(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
{
    setAccessibleName(tr("Source texts"));
    // Not Fixed: a layout keeps the hint, which would then be the height in every width.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    hide();
    connect(&workspace, &app::Workspace::modelChanged, this, &SourceShelf::refresh);
    connect(&workspace, &app::Workspace::sourcesCounted, this, &SourceShelf::refresh);
}

void SourceShelf::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    m_conversation = conversation;
    if (conversation)
        connect(conversation, &app::Conversation::sourcesChanged, this, &SourceShelf::refresh);
    refresh();
}

/// The one that is there, so that it keeps the keyboard's focus; else a new one.
SourceChip* SourceShelf::takeChip(const app::SourceText& source)
{
    const auto found = std::find_if(m_chips.begin(), m_chips.end(),
        [&](const SourceChip* chip) { return chip->id() == source.id; });
    if (found != m_chips.end()) {
        SourceChip* chip = *found;
        m_chips.erase(found);
        return chip;
    }
    auto* chip = new SourceChip(source, this);
    connect(chip->openButton(), &QToolButton::clicked, this,
        [this, id = source.id] { emit openRequested(id); });
    connect(chip->removeButton(), &QToolButton::clicked, this,
        [this, id = source.id] { emit removeRequested(id); });
    chip->show();
    return chip;
}

void SourceShelf::refresh()
{
    std::vector<SourceChip*> chips;
    if (m_conversation)
        for (const app::SourceText& source : m_conversation->sources()) {
            chips.push_back(takeChip(source));
            chips.back()->setTokenCount(m_workspace.knownTokens(source));
        }
    for (SourceChip* chip : std::exchange(m_chips, std::move(chips))) {
        chip->hide();
        chip->deleteLater(); // it may be the one that asked for this
    }
    setFocusPolicy(Qt::TabFocus); // else nothing can follow it
    QWidget* before = this;
    for (const SourceChip* chip : m_chips)
        for (QWidget* button : { chip->openButton(), chip->removeButton() })
            setTabOrder(std::exchange(before, button), button);
    setFocusPolicy(Qt::NoFocus);
    setVisible(!m_chips.empty());
    resizeEvent(nullptr);
    updateGeometry();
}

std::vector<QRect> SourceShelf::places(int width) const
{
    const int gap = gridUnit(this) / 2;
    std::vector<QRect> places;
    QPoint at(0, 0);
    for (const SourceChip* chip : m_chips) {
        const QSize size = chip->sizeHint().boundedTo(QSize(width, QWIDGETSIZE_MAX));
        if (at.x() > 0 && at.x() + size.width() > width)
            at = QPoint(0, places.back().bottom() + 1 + gap);
        places.emplace_back(at, size);
        at.rx() += size.width() + gap;
    }
    return places;
}

int SourceShelf::heightForWidth(int width) const
{
    return m_chips.empty() ? 0 : places(width).back().bottom() + 1 + gridUnit(this) / 2;
}

QSize SourceShelf::sizeHint() const { return { gridUnit(this) * 20, heightForWidth(width()) }; }

void SourceShelf::resizeEvent(QResizeEvent*)
{
    const std::vector<QRect> at = places(width());
    for (size_t i = 0; i < m_chips.size(); ++i)
        m_chips[i]->setGeometry(at[i]);
}

} // namespace ui
