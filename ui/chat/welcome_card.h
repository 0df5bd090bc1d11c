#pragma once

#include "app/conversation/workspace.h"
#include "app/models/device_finder.h"
#include "app/models/model_finder.h"
#include "ui/chat/message_view.h"

#include <QProcess>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace ui {

/// What an empty chat shows: without a model, the ways to get one; with one, a place to begin.
class WelcomeCard : public MessageView {
    Q_OBJECT
public:
    WelcomeCard(app::Workspace& workspace, app::ModelFinder& models, app::DeviceFinder& devices,
        QWidget* parent = nullptr);
    ~WelcomeCard() override;

    int heightFor(int width) const override;

signals:
    void modelChosen(const QString& path);
    void openRequested();
    void guideRequested();

private:
    void refresh();
    void refreshModels();
    void fetchModel();
    void showFetch(const QString& words);
    void fetchEnded(bool succeeded);

    app::Workspace& m_workspace;
    app::ModelFinder& m_models;
    app::DeviceFinder& m_devices;
    QLabel* m_title;
    QLabel* m_text;
    QWidget* m_modelList;
    QVBoxLayout* m_modelRows;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QPushButton* m_fetch;
    QPushButton* m_open;
    QPushButton* m_guide;
    QLabel* m_fetchWords;
    QLabel* m_device;
    QProcess m_process;
    QString m_fetchOutput;
    QTimer m_fetchTimer;
};

} // namespace ui
