#pragma once

#include "app/settings/chat_settings.h"

#include <QWidget>

class QComboBox;

namespace ui {

class NoteLabel;

/// Which requirement set a chat's answers are held against: none, one that ships, or one of a file,
/// whose content is taken in.
class RequirementChoice : public QWidget {
    Q_OBJECT
public:
    explicit RequirementChoice(QWidget* parent = nullptr);

    void show(const std::optional<app::ChosenRequirements>& chosen);
    /// Takes the set of a file; why it cannot be taken is told below the choice.
    void takeFile(const QString& path);

signals:
    void chosen(const std::optional<app::ChosenRequirements>& chosen);

private:
    void choose(int index);
    void take(const QString& origin, bool isShipped, const QString& path);
    void tellChosen();

    std::optional<app::ChosenRequirements> m_chosen;
    QComboBox* m_sets;
    NoteLabel* m_note;
};

} // namespace ui
