#pragma once

class QMenuBar;
class QWidget;

namespace ui {

/// Shows the keys of a window's menus; returns when the dialog is closed.
void showKeys(const QMenuBar& menus, QWidget* window);
/// Shows what this program is; returns when the dialog is closed.
void showAbout(QWidget* window);

} // namespace ui
