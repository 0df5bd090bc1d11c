#include "ui/settings/requirement_choice.h"

#include "app/compare/requirement_set.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QVBoxLayout>

namespace ui {

namespace {
    constexpr qint64 kLargestFile = 1024 * 1024;
    const QString kShippedFolder = QStringLiteral(":/requirements/");

    enum Kind { None, Shipped, Kept, AskForFile };

    /// Error: Io, or what is wrong with the set.
    engine::Result<app::RequirementSet> readSet(const QString& path, std::string& content)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return engine::Error::io(file.errorString().toStdString());
        if (file.size() > kLargestFile)
            return engine::Error::badFile("it is larger than any requirement set");
        content = file.readAll().toStdString();
        return app::requirementSetFrom(content);
    }
}

RequirementChoice::RequirementChoice(QWidget* parent)
    : QWidget(parent)
    , m_sets(new QComboBox(this))
    , m_note(new NoteLabel(this))
{
    m_sets->setObjectName(QStringLiteral("requirements"));
    m_sets->setAccessibleName(tr("Requirements"));
    m_sets->setToolTip(tr("Every answer of this chat is held against these: what is present, what "
                          "is missing, and what the source texts do not bear out"));
    m_sets->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_sets->setMinimumContentsLength(10);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gridUnit(this) * 3 / 4);
    column->addWidget(m_sets);
    column->addWidget(m_note);
    connect(m_sets, &QComboBox::activated, this, &RequirementChoice::choose);
    show(std::nullopt);
}

void RequirementChoice::show(const std::optional<app::ChosenRequirements>& chosen)
{
    m_chosen = chosen;
    m_sets->clear();
    m_sets->addItem(tr("None"), int(None));
    int current = 0;
    for (const QString& file : QDir(kShippedFolder).entryList({ QStringLiteral("*.json") }, QDir::Files, QDir::Name)) {
        std::string content;
        const auto set = readSet(kShippedFolder + file, content);
        if (!set)
            continue;
        const QString name = QFileInfo(file).completeBaseName();
        // One that shipped with another version is kept as it was, and named as such.
        if (chosen && chosen->isShipped && chosen->origin == name && chosen->sha256 == set->sha256)
            current = m_sets->count();
        m_sets->addItem(QString::fromStdString(set->name), int(Shipped));
        m_sets->setItemData(m_sets->count() - 1, name, Qt::UserRole + 1);
    }
    if (chosen && current == 0) {
        const auto set = app::requirementSetFrom(chosen->content);
        current = m_sets->count();
        const QString name = set ? QString::fromStdString(set->name) : chosen->origin;
        m_sets->addItem(chosen->isShipped ? tr("%1 (of another version)").arg(name)
                                          : tr("%1 (%2)").arg(name, QFileInfo(chosen->origin).fileName()),
            int(Kept));
        m_sets->setItemData(current, chosen->origin, Qt::ToolTipRole);
    }
    m_sets->addItem(tr("From a file…"), int(AskForFile));
    m_sets->setCurrentIndex(current);
    tellChosen();
}

void RequirementChoice::tellChosen()
{
    if (!m_chosen)
        return m_note->setNote(tr("Nothing is asked of the answers."));
    const auto set = app::requirementSetFrom(m_chosen->content);
    if (!set)
        return m_note->setNote(QString::fromStdString(set.error().message));
    QStringList names;
    for (const app::Requirement& wanted : set->requirements)
        names.append(QString::fromStdString(wanted.name));
    m_note->setNote(tr("Asked: %1.").arg(names.join(QStringLiteral(", "))));
}

void RequirementChoice::choose(int index)
{
    switch (Kind(m_sets->itemData(index).toInt())) {
    case None:
        show(std::nullopt);
        emit chosen(std::nullopt);
        break;
    case Shipped: {
        const QString name = m_sets->itemData(index, Qt::UserRole + 1).toString();
        take(name, true, kShippedFolder + name + QStringLiteral(".json"));
        break;
    }
    case Kept:
        break;
    case AskForFile: {
        show(m_chosen); // until there is one
        const QString path = QFileDialog::getOpenFileName(this, tr("Choose a requirement set"), {},
            tr("Requirement sets (*.json);;All files (*)"));
        if (!path.isEmpty())
            takeFile(path);
        break;
    }
    }
}

void RequirementChoice::takeFile(const QString& path) { take(path, false, path); }

void RequirementChoice::take(const QString& origin, bool isShipped, const QString& path)
{
    std::string content;
    const auto set = readSet(path, content);
    if (!set) {
        show(m_chosen);
        m_note->setNote(tr("%1 was not taken: %2")
                            .arg(QFileInfo(path).fileName(), QString::fromStdString(set.error().message)));
        return;
    }
    const app::ChosenRequirements taken { isShipped, origin, set->sha256, content };
    show(taken);
    emit chosen(taken);
}

} // namespace ui
