#pragma once

#include "app/settings/settings_file.h"
#include "ui/theme/theme.h"

#include <QFont>
#include <QObject>

class QMenu;
class QWidget;

namespace ui {

/// The size of the text and the appearance, as entries of a menu and in the settings file.
class LookActions : public QObject {
    Q_OBJECT
public:
    /// scaled: the widget whose text grows; a child of window. Sets both as they were kept.
    LookActions(app::SettingsFile& store, QWidget& scaled, QMenu& menu, QWidget* window);
    /// Keeps the size of the text.
    void remember();

private:
    void addAppearances(QMenu& menu);
    void enlarge();
    void reduce();
    void reset();
    void setTextScale(double scale);
    void setAppearance(Appearance appearance);

    app::SettingsFile& m_store;
    QWidget& m_scaled;
    QPalette m_systemPalette;
    QFont m_baseFont;
    double m_textScale = 1;
};

} // namespace ui
