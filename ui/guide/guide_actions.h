#pragma once

#include "app/conversation/workspace.h"

#include <QObject>
#include <QPointer>

class QMenu;

namespace ui {

class CacheWindow;
class GuideWindow;

/// The guided trace and the tools it leads to, as entries of a menu. Each window exists once.
class GuideActions : public QObject {
    Q_OBJECT
public:
    /// window: of which the others are children.
    GuideActions(app::Workspace& workspace, QMenu* menu, QWidget* window);

    GuideWindow* showGuide();
    CacheWindow* showCacheQuestion();
    void showCappedAnswer();

private:
    app::Workspace& m_workspace;
    QWidget* m_window;
    QPointer<GuideWindow> m_guide;
    QPointer<CacheWindow> m_cache;
};

} // namespace ui
