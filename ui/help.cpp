#include "ui/help.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

namespace ui {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("ui::Help", text); }

    void show(const QString& title, const QString& text, QWidget* window)
    {
        QMessageBox box(QMessageBox::NoIcon, title, text, QMessageBox::Close, window);
        box.setTextFormat(Qt::PlainText);
        box.exec();
    }
}

void showKeys(const QMenuBar& menus, QWidget* window)
{
    QStringList lines;
    for (const QAction* menu : menus.actions())
        for (const QAction* action : menu->menu()->actions())
            if (!action->shortcut().isEmpty())
                lines.append(action->shortcut().toString(QKeySequence::NativeText)
                    + QLatin1Char('\t') + action->text().remove(QLatin1Char('&')));
    lines.append(tr("Enter\tSend"));
    lines.append(tr("Shift+Enter\tNew line"));
    show(tr("Keys"), lines.join(QLatin1Char('\n')), window);
}

void showAbout(QWidget* window)
{
    show(tr("About Tokenglass"),
        tr("Tokenglass %1\nA chat window for local language models that shows every token and why "
           "it stopped.\nMIT licence.")
            .arg(QCoreApplication::applicationVersion()),
        window);
}

} // namespace ui
