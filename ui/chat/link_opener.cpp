#include "ui/chat/link_opener.h"

#include "ui/markdown/markdown_reader.h"

#include <QDesktopServices>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

namespace ui {

bool mayOpenLink(const QString& target)
{
    const QUrl url(target, QUrl::StrictMode);
    if (!url.isValid())
        return false;
    const QString scheme = url.scheme().toLower();
    if (scheme == QLatin1String("mailto"))
        return true;
    return (scheme == QLatin1String("http") || scheme == QLatin1String("https"))
        && !url.host().isEmpty();
}

void openLink(const QString& target, QWidget* parent)
{
    QMessageBox box(parent);
    box.setTextFormat(Qt::PlainText);
    const QUrl url(target, QUrl::StrictMode);
    // The host as it really is: look-alike letters of other scripts show as xn--.
    const QString shown
        = mayOpenLink(target) ? QString::fromLatin1(url.toEncoded()) : withoutBidiControls(target);
    box.setInformativeText(shown.left(500));
    if (!mayOpenLink(target)) {
        box.setIcon(QMessageBox::Information);
        box.setText(QObject::tr("This link is not opened: only web and mail addresses are."));
        box.exec();
        return;
    }
    box.setText(QObject::tr("Open this address outside the program?"));
    QPushButton* open = box.addButton(QObject::tr("Open"), QMessageBox::AcceptRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == open)
        QDesktopServices::openUrl(url);
}

} // namespace ui
