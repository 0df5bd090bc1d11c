#pragma once

#include "app/settings/chat_settings.h"

#include <QObject>

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace ui {

/// The rows of the settings that say what ends an answer: caps, stop strings, and whether the
/// model's own end counts.
class StopSettings : public QObject {
    Q_OBJECT
public:
    /// Adds its rows to the form, which owns their fields.
    explicit StopSettings(QFormLayout& form);

    void show(const app::ChatSettings& settings);
    void readInto(app::ChatSettings& settings) const;

signals:
    void changed();

private:
    QCheckBox* addSwitch(QFormLayout& form, const QString& label, const QString& help);

    QSpinBox* m_cap;
    QLineEdit* m_stops;
    QDoubleSpinBox* m_timeCap;
    QCheckBox* m_repetition;
    QCheckBox* m_ignoreEnd;
};

/// Stop strings in one line of text: divided by '|', with \n, \t, \| and \\ for those characters.
QString joinStopStrings(const QStringList& stops);
QStringList splitStopStrings(const QString& line);

} // namespace ui
