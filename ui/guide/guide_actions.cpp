#include "ui/guide/guide_actions.h"

#include "ui/guide/cache_window.h"
#include "ui/guide/capped_answer_window.h"
#include "ui/guide/guide_window.h"

#include <QMenu>

namespace ui {

GuideActions::GuideActions(app::Workspace& workspace, QMenu* menu, QWidget* window)
    : QObject(window)
    , m_workspace(workspace)
    , m_window(window)
{
    menu->addAction(tr("&Guided trace"), this, &GuideActions::showGuide)
        ->setObjectName(QStringLiteral("guidedTrace"));
    menu->addAction(tr("&Cache question…"), this, &GuideActions::showCacheQuestion)
        ->setObjectName(QStringLiteral("cacheQuestion"));
}

GuideWindow* GuideActions::showGuide()
{
    if (!m_guide) {
        m_guide = new GuideWindow(m_workspace, m_window);
        m_guide->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_guide, &GuideWindow::toolRequested, this, [this](app::TraceTool tool) {
            if (tool == app::TraceTool::CacheQuestion)
                showCacheQuestion();
            else if (tool == app::TraceTool::CappedAnswer)
                showCappedAnswer();
        });
    }
    m_guide->show();
    m_guide->raise();
    m_guide->activateWindow();
    return m_guide;
}

CacheWindow* GuideActions::showCacheQuestion()
{
    if (!m_cache) {
        m_cache = new CacheWindow(m_workspace, m_window);
        m_cache->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_cache->show();
    m_cache->raise();
    m_cache->activateWindow();
    return m_cache;
}

void GuideActions::showCappedAnswer()
{
    auto* window = new CappedAnswerWindow(m_window);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

} // namespace ui
