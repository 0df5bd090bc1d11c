#include "ui/settings/stop_settings.h"

namespace ui {

QString joinStopStrings(const QStringList& stops)
{
    QStringList escaped;
    for (QString stop : stops) {
        stop.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
        stop.replace(QLatin1Char('|'), QStringLiteral("\\|"));
        stop.replace(QLatin1Char('\n'), QStringLiteral("\\n"));
        stop.replace(QLatin1Char('\t'), QStringLiteral("\\t"));
        escaped.append(stop);
    }
    return escaped.join(QLatin1Char('|'));
}

QStringList splitStopStrings(const QString& line)
{
    QStringList stops { QString() };
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        if (c == QLatin1Char('|')) {
            stops.append(QString());
        } else if (c == QLatin1Char('\\') && i + 1 < line.size()) {
            const QChar next = line[++i];
            stops.back() += next == QLatin1Char('n') ? QLatin1Char('\n')
                : next == QLatin1Char('t')           ? QLatin1Char('\t')
                                                     : next;
        } else {
            stops.back() += c;
        }
    }
    stops.removeAll(QString());
    stops.removeDuplicates();
    return stops;
}

} // namespace ui
