#include "ui/look_actions.h"

#include "ui/menu_entry.h"

#include <QActionGroup>
#include <QApplication>

#include <algorithm>

namespace ui {

namespace {
    constexpr double kTextScaleStep = 1.1;
    constexpr auto kTextScaleKey = "window/textScale";
    constexpr auto kAppearanceKey = "window/appearance";
}

LookActions::LookActions(app::SettingsFile& store, QWidget& scaled, QMenu& menu, QWidget* window)
    : QObject(window)
    , m_store(store)
    , m_scaled(scaled)
    , m_systemPalette(QApplication::palette())
    , m_baseFont(window->font())
{
    QAction* larger = addEntry(menu, tr("&Larger text"), {}, this, &LookActions::enlarge);
    larger->setShortcuts({ QKeySequence(Qt::CTRL | Qt::Key_Equal), QKeySequence(Qt::CTRL | Qt::Key_Plus) });
    addEntry(menu, tr("S&maller text"), QKeySequence(Qt::CTRL | Qt::Key_Minus), this, &LookActions::reduce);
    addEntry(menu, tr("N&ormal text size"), QKeySequence(Qt::CTRL | Qt::Key_0), this, &LookActions::reset);
    menu.addSeparator();
    addAppearances(menu);
    setTextScale(m_store.value(kTextScaleKey, 1.0).toDouble());
}

void LookActions::addAppearances(QMenu& menu)
{
    const int kept = m_store.value(kAppearanceKey, 0).toInt();
    QMenu* appearance = menu.addMenu(tr("&Appearance"));
    auto* group = new QActionGroup(this);
    const std::pair<Appearance, QString> choices[] = { { Appearance::System, tr("As the system") },
        { Appearance::Light, tr("Light") }, { Appearance::Dark, tr("Dark") } };
    for (const auto& [value, text] : choices) {
        QAction* action
            = appearance->addAction(text, this, [this, chosen = value] { setAppearance(chosen); });
        action->setCheckable(true);
        action->setData(int(value));
        group->addAction(action);
        action->setChecked(value == Appearance(kept));
    }
    if (kept == int(Appearance::Light) || kept == int(Appearance::Dark))
        setAppearance(Appearance(kept));
}

void LookActions::remember() { m_store.setValue(kTextScaleKey, m_textScale); }

void LookActions::enlarge() { setTextScale(m_textScale * kTextScaleStep); }
void LookActions::reduce() { setTextScale(m_textScale / kTextScaleStep); }
void LookActions::reset() { setTextScale(1); }

void LookActions::setTextScale(double scale)
{
    m_textScale = std::clamp(scale, 0.5, 3.0);
    QFont scaled = m_baseFont;
    if (scaled.pointSizeF() > 0)
        scaled.setPointSizeF(scaled.pointSizeF() * m_textScale);
    m_scaled.setFont(scaled);
}

void LookActions::setAppearance(Appearance appearance)
{
    m_store.setValue(kAppearanceKey, int(appearance));
    QApplication::setPalette(paletteFor(appearance, m_systemPalette));
}

} // namespace ui
