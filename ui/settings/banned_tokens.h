#pragma once

#include "app/settings/chat_settings.h"

#include <QWidget>

class QVBoxLayout;

namespace ui {

class NoteLabel;

/// The tokens that are banned in a chat, written out, each with a way to take the ban back. Bans come from the inspector.
class BannedTokens : public QWidget {
    Q_OBJECT
public:
    explicit BannedTokens(QWidget* parent = nullptr);

    /// vocabularySha256: of the loaded model; bans of another vocabulary are said to rest. "" = none is loaded.
    void show(const std::vector<app::BannedToken>& tokens, const QString& vocabularySha256);

signals:
    void allowed(const app::BannedToken& token);

private:
    void addRow(const app::BannedToken& token, bool isOfModel);

    std::vector<app::BannedToken> m_tokens;
    QString m_vocabulary;
    NoteLabel* m_none;
    QVBoxLayout* m_column;
    std::vector<QWidget*> m_rows;
};

} // namespace ui
