#include "ui/settings/banned_tokens.h"

#include "ui/inspect/piece_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

BannedTokens::BannedTokens(QWidget* parent)
    : QWidget(parent)
    , m_none(new NoteLabel(this))
    , m_column(new QVBoxLayout(this))
{
    setAccessibleName(tr("Banned tokens"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(gridUnit(this) / 4);
    m_none->setObjectName(QStringLiteral("noBans"));
    m_none->setNote(tr("None. The inspector bans a token: Ctrl+I, a candidate, “Ban in this chat”."));
    m_column->addWidget(m_none);
}

void BannedTokens::show(const std::vector<app::BannedToken>& tokens, const QString& vocabularySha256)
{
    if (tokens == m_tokens && vocabularySha256 == m_vocabulary)
        return;
    m_tokens = tokens;
    m_vocabulary = vocabularySha256;
    for (QWidget* row : m_rows) {
        row->hide();
        row->deleteLater(); // the button that was pressed may be in it
    }
    m_rows.clear();
    for (const app::BannedToken& token : m_tokens)
        addRow(token, vocabularySha256.isEmpty() || token.vocabularySha256 == vocabularySha256);
    m_none->setVisible(m_tokens.empty());
}

void BannedTokens::addRow(const app::BannedToken& token, bool isOfModel)
{
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    const QString name = tr("‘%1’ (token %2)").arg(spokenBytes(token.text.toStdString()), QString::number(token.id));
    auto* words = new NoteLabel(row);
    words->setNote(isOfModel ? name : tr("%1: of another vocabulary, not used with this model").arg(name));
    line->addWidget(words, 1);
    auto* allow = new QToolButton(row);
    allow->setText(QStringLiteral("✕"));
    allow->setAutoRaise(true);
    allow->setFocusPolicy(Qt::StrongFocus);
    allow->setAccessibleName(tr("Allow %1 again").arg(name));
    allow->setToolTip(allow->accessibleName().toHtmlEscaped());
    line->addWidget(allow);
    connect(allow, &QToolButton::clicked, this, [this, token] { emit allowed(token); });
    m_column->addWidget(row);
    m_rows.push_back(row);
}

} // namespace ui
