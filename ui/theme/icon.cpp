#include "ui/theme/icon.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <array>

static void initResources() { Q_INIT_RESOURCE(tokenglass); }

namespace ui {

namespace {
    constexpr std::array kFileNames { "attach", "capped", "chevron-left", "chevron-right", "close", "compare",
        "complete", "continue", "copy", "document", "down", "edit", "folder", "lock", "model",
        "new-chat", "open", "partial", "paused", "retry", "search", "send", "settings", "stop",
        "stopped", "tokens", "trash", "warning" };

    QPixmap render(IconName name, const QSize& pixels, const QColor& color)
    {
        const QString file = QLatin1String(kFileNames[size_t(name)]);
        const QString key = QStringLiteral("tokenglass/%1/%2x%3/%4")
                                .arg(file)
                                .arg(pixels.width())
                                .arg(pixels.height())
                                .arg(color.rgba());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        static const bool initialised = (initResources(), true);
        Q_UNUSED(initialised);
        QFile source(QStringLiteral(":/icons/%1.svg").arg(file));
        if (!source.open(QIODevice::ReadOnly))
            return {};
        QByteArray drawing = source.readAll();
        drawing.replace("#000", color.name().toLatin1()); // all drawings use this one colour
        pixmap = QPixmap(pixels);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QSvgRenderer(drawing).render(&painter);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    class SvgIconEngine : public QIconEngine {
    public:
        SvgIconEngine(IconName name, QColor color)
            : m_name(name)
            , m_color(std::move(color))
        {
        }

        void paint(
            QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
        {
            const qreal ratio = painter->device()->devicePixelRatioF();
            painter->drawPixmap(rect, pixmap(rect.size() * ratio, mode, state));
        }

        QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override
        {
            const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
            const bool ownColor = m_color.isValid() && mode != QIcon::Disabled;
            return render(m_name, size,
                ownColor ? m_color : QApplication::palette().color(group, QPalette::ButtonText));
        }

        QIconEngine* clone() const override { return new SvgIconEngine(m_name, m_color); }

    private:
        IconName m_name;
        QColor m_color;
    };
}

QIcon icon(IconName name) { return QIcon(new SvgIconEngine(name, {})); }

QIcon icon(IconName name, const QColor& color) { return QIcon(new SvgIconEngine(name, color)); }

void paintIcon(QPainter& painter, const QRectF& rect, IconName name, const QColor& color)
{
    const qreal ratio = painter.device()->devicePixelRatioF();
    const QPixmap pixmap = render(name, (rect.size() * ratio).toSize(), color);
    painter.drawPixmap(rect, pixmap, QRectF(pixmap.rect()));
}

} // namespace ui
