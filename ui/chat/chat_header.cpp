#include "ui/chat/chat_header.h"

#include "ui/chat/measure_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace ui {

ChatHeader::ChatHeader(app::Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_title(new ElidedLabel(this))
    , m_model(new QLabel(this))
    , m_context(new QLabel(this))
{
    const int unit = gridUnit(this);
    for (QLabel* label : { m_model, m_context })
        label->setTextFormat(Qt::PlainText);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_title->setFont(strong);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_model->setForegroundRole(QPalette::PlaceholderText);
    m_context->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(unit * 3, unit, unit * 3 + unit * 4, unit);
    row->setSpacing(unit * 2);
    row->addWidget(m_title, 1);
    row->addWidget(m_model);
    row->addWidget(m_context);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    connect(&workspace, &app::Workspace::modelChanged, this, &ChatHeader::refresh);
}

void ChatHeader::setConversation(app::Conversation* conversation)
{
    if (m_conversation)
        m_conversation->disconnect(this);
    m_conversation = conversation;
    if (conversation) {
        connect(conversation, &app::Conversation::titleChanged, this, &ChatHeader::refresh);
        connect(conversation, &app::Conversation::draftChanged, this, &ChatHeader::refresh);
        connect(conversation, &app::Conversation::turnAdded, this, &ChatHeader::refresh);
        connect(conversation, &app::Conversation::branchChanged, this, &ChatHeader::refresh);
    }
    refresh();
}

void ChatHeader::follow(const app::PromptGauge& gauge)
{
    m_gauge = &gauge;
    connect(&gauge, &app::PromptGauge::measured, this, &ChatHeader::refresh);
}

int ChatHeader::contextUsed() const
{
    const app::Draft* draft = m_conversation ? m_conversation->lastDraft() : nullptr;
    if (!draft)
        return 0;
    if (draft->ending() && draft->ending()->ledger.contextUsed > 0)
        return draft->ending()->ledger.contextUsed;
    return int(draft->origin().request.promptIds.size()) + draft->tokenCount();
}

void ChatHeader::refresh()
{
    const bool isPage
        = m_conversation && m_conversation->kind() == app::ConversationKind::PlainText;
    const QString title = m_conversation ? m_conversation->title() : QString();
    const QString name = !title.isEmpty() ? title : isPage ? tr("New page") : tr("New chat");
    m_title->setWholeText(m_conversation && m_conversation->isPrivate()
            ? tr("%1 · private, ends with the program").arg(name)
            : name);
    const auto& model = m_workspace.model();
    m_context->setVisible(model.has_value());
    m_share = 0;
    m_warns = false;
    if (model) {
        const engine::ModelDescription& about = model->description;
        const QString device
            = QString::fromStdString(about.device.name).section(QStringLiteral(" ("), 0, 0);
        renew(m_model, QStringLiteral("%1 · %2").arg(QString::fromStdString(about.name), device));
        showContext(about);
    }
    resizeEvent(nullptr);
    update();
}

void ChatHeader::showContext(const engine::ModelDescription& model)
{
    const auto measure = m_gauge && !(m_conversation && m_conversation->activeDraft())
        ? m_gauge->measure()
        : std::nullopt;
    const bool isNext = measure && measure->promptTokens;
    const int used = isNext ? *measure->promptTokens : contextUsed();
    m_warns = measure && measureWarns(*measure);
    const QString words = isNext
        ? promptWords(*measure)
        : tr("Context: %L1 of %L2 tokens").arg(used).arg(model.contextLength);
    // Told to assistive software between answers, not with each token.
    const app::Draft* draft = m_conversation ? m_conversation->lastDraft() : nullptr;
    const bool isWriting = draft && !draft->ending() && draft->tokenCount() > 0;
    const QString next = measure && measure->isLeast ? tr("next >%L1/%L2") : tr("next %L1/%L2");
    const QString shown = isNext ? next : tr("%L1/%L2");
    renew(m_context, shown.arg(used).arg(model.contextLength),
        isWriting ? m_context->accessibleName() : words);
    m_context->setToolTip(words.toHtmlEscaped());
    if (model.contextLength > 0)
        m_share = std::clamp(double(used) / model.contextLength, 0.0, 1.0);
}

void ChatHeader::resizeEvent(QResizeEvent*)
{
    // In a narrow window the title needs the room.
    m_model->setVisible(m_workspace.model().has_value()
        && width() > m_model->sizeHint().width() * 2 + gridUnit(this) * 20);
}

void ChatHeader::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    painter.fillRect(QRectF(0, height() - 1, width(), 1), theme.hairline);
    if (!m_context->isVisible())
        return;
    const int unit = gridUnit(this);
    const QRectF gauge(width() - unit * 6, m_context->geometry().center().y() - unit / 4.0 + 1,
        unit * 3, unit / 2.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.hairline);
    painter.drawRoundedRect(gauge, gauge.height() / 2, gauge.height() / 2);
    painter.setBrush(m_warns || m_share > 0.9 ? theme.caution : theme.accent);
    painter.drawRoundedRect(
        QRectF(gauge.topLeft(),
            QSizeF(std::max(m_share > 0 ? gauge.height() : 0.0, gauge.width() * m_share),
                gauge.height())),
        gauge.height() / 2, gauge.height() / 2);
}

} // namespace ui
