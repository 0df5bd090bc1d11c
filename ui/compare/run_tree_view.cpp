#include "ui/compare/run_tree_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeWidgetItemIterator>

namespace ui {

namespace {
    constexpr int kRunRole = Qt::UserRole;
}

RunTreeView::RunTreeView(QWidget* parent)
    : QTreeWidget(parent)
{
    setObjectName(QStringLiteral("runTree"));
    setAccessibleName(tr("Runs by common beginnings"));
    setHeaderLabels({ tr("Text"), tr("Runs"), tr("Tokens") });
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    header()->setStretchLastSection(false);
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const QVariant run = item->data(0, kRunRole); run.isValid())
            emit runChosen(size_t(run.toULongLong()));
    });
}

void RunTreeView::setRuns(const std::vector<AlignedRun>& runs)
{
    clear();
    if (runs.empty())
        return;
    std::vector<app::ComparedRun> compared;
    for (const AlignedRun& run : runs)
        compared.push_back(run.run);
    add(invisibleRootItem(), app::runTree(compared), runs);
    expandAll();
}

QString RunTreeView::tsv() const
{
    QStringList lines;
    QStringList values;
    for (int column = 0; column < columnCount(); ++column)
        values.append(headerItem()->text(column));
    lines.append(values.join(QLatin1Char('\t')));
    for (QTreeWidgetItemIterator it(const_cast<RunTreeView*>(this)); *it; ++it) {
        int depth = 0;
        for (const QTreeWidgetItem* above = (*it)->parent(); above; above = above->parent())
            ++depth;
        values = { QString(2 * depth, QLatin1Char(' ')) + (*it)->text(0).replace(QLatin1Char('\t'), QLatin1Char(' ')) };
        for (int column = 1; column < columnCount(); ++column)
            values.append((*it)->text(column));
        lines.append(values.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void RunTreeView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(tsv());
    else
        QTreeWidget::keyPressEvent(event);
}

void RunTreeView::add(QTreeWidgetItem* parent, const app::RunBranch& branch, const std::vector<AlignedRun>& runs)
{
    QTreeWidgetItem* item = parent;
    if (branch.endToken > branch.firstToken || branch.children.empty()) {
        QString text;
        for (size_t i = branch.firstToken; i < branch.endToken; ++i)
            text += runs[branch.runs.front()].drawnAt(i);
        item = new QTreeWidgetItem(parent,
            { text, QString::number(branch.runs.size()), QString::number(branch.endToken - branch.firstToken) });
        item->setToolTip(0, text.toHtmlEscaped());
    }
    for (size_t run : branch.ending) {
        const auto reason = runs[run].run.reason;
        const QString words
            = reason ? QString::fromLatin1(engine::stopReasonInfo(*reason).words) : tr("not ended, or not known");
        auto* leaf = new QTreeWidgetItem(item, { tr("■ %1: %2").arg(runs[run].label, words), QString(), QString() });
        leaf->setData(0, kRunRole, qulonglong(run));
    }
    for (const app::RunBranch& child : branch.children)
        add(item, child, runs);
}

} // namespace ui
