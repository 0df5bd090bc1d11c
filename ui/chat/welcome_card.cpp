#include "ui/chat/welcome_card.h"

#include "app/models/fetch_tool.h"
#include "app/settings/places.h"
#include "ui/models/model_row.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kMostModels = 6;
    constexpr int kFetchLookMs = 400;

    QLabel* label(QWidget* parent, bool wraps = true)
    {
        auto* made = new QLabel(parent);
        made->setTextFormat(Qt::PlainText);
        made->setWordWrap(wraps);
        return made;
    }
}

WelcomeCard::WelcomeCard(app::Workspace& workspace, app::ModelFinder& models,
    app::DeviceFinder& devices, QWidget* parent)
    : MessageView(parent)
    , m_workspace(workspace)
    , m_models(models)
    , m_devices(devices)
    , m_title(label(this))
    , m_text(label(this))
    , m_modelList(new QWidget(this))
    , m_modelRows(new QVBoxLayout(m_modelList))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QPushButton(tr("Stop loading"), this))
    , m_fetch(new QPushButton(icon(IconName::Down), tr("Get SmolLM2 (98 MB)"), this))
    , m_open(new QPushButton(icon(IconName::Open), tr("Open a GGUF file…"), this))
    , m_guide(new QPushButton(tr("See how an answer is made"), this))
    , m_fetchWords(label(this))
    , m_device(label(this))
{
    const int unit = gridUnit(this);
    QFont large = font();
    if (large.pointSizeF() > 0)
        large.setPointSizeF(large.pointSizeF() * 1.45);
    large.setWeight(QFont::DemiBold);
    m_title->setFont(large);
    m_title->setObjectName(QStringLiteral("welcomeTitle"));
    m_modelRows->setContentsMargins(0, 0, 0, 0);
    m_modelRows->setSpacing(unit / 2);
    m_fetch->setToolTip(tr("A small model by Hugging Face, licence Apache-2.0. It answers simple "
                           "questions on any machine."));
    m_fetchWords->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(unit);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    buttons->addWidget(m_fetch);
    buttons->addWidget(m_open);
    buttons->addWidget(m_cancel);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(unit * 3 / 2);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_modelList);
    column->addWidget(m_progress);
    column->addLayout(buttons);
    column->addWidget(m_guide, 0, Qt::AlignLeft);
    column->addWidget(m_fetchWords);
    column->addWidget(m_device);

    connect(m_open, &QPushButton::clicked, this, &WelcomeCard::openRequested);
    m_guide->setObjectName(QStringLiteral("seeGuide"));
    m_guide->setToolTip(tr("Works without any model."));
    connect(m_guide, &QPushButton::clicked, this, &WelcomeCard::guideRequested);
    connect(m_cancel, &QPushButton::clicked, &workspace, &app::Workspace::cancelLoad);
    connect(m_fetch, &QPushButton::clicked, this, &WelcomeCard::fetchModel);
    connect(&workspace, &app::Workspace::modelChanged, this, &WelcomeCard::refresh);
    connect(&workspace, &app::Workspace::loadProgressed, this, &WelcomeCard::refresh);
    connect(&models, &app::ModelFinder::fileFound, this, &WelcomeCard::refreshModels);
    connect(&models, &app::ModelFinder::finished, this, &WelcomeCard::refreshModels);
    connect(&devices, &app::DeviceFinder::finished, this, &WelcomeCard::refresh);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    connect(&m_process, &QProcess::readyRead, this,
        [this] { m_fetchOutput += QString::fromUtf8(m_process.readAll()); });
    m_fetchTimer.setInterval(kFetchLookMs);
    connect(&m_fetchTimer, &QTimer::timeout, this, [this] {
        showFetch(tr("Fetching SmolLM2, licence Apache-2.0: %1 of %2")
                      .arg(app::describeBytes(quint64(app::fetchedBytes())),
                          app::describeBytes(quint64(app::kDefaultModelBytes))));
    });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        fetchEnded(code == 0 && status == QProcess::NormalExit);
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fetchEnded(false);
    });
    refreshModels();
}

WelcomeCard::~WelcomeCard()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.terminate();
    m_process.waitForFinished(2000);
}

int WelcomeCard::heightFor(int width) const
{
    // The layout's own answer lags behind labels that were hidden or changed since.
    layout()->invalidate();
    return layout()->heightForWidth(width);
}

void WelcomeCard::refreshModels()
{
    while (QLayoutItem* item = m_modelRows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int shown = 0;
    for (const app::ModelFile& file : m_models.files()) {
        if (!file.refusal.isEmpty() || shown == kMostModels)
            continue;
        ++shown;
        auto* row = new ModelRow(file, m_modelList);
        connect(row, &ModelRow::clicked, this,
            [this, path = file.candidate.path] { emit modelChosen(path); });
        m_modelRows->addWidget(row);
        row->show(); // a hidden row has no height yet, and the card's height is asked for at once
    }
    refresh();
}

void WelcomeCard::refresh()
{
    const app::ModelState state = m_workspace.modelState();
    const bool none = state == app::ModelState::None;
    const bool loading = state == app::ModelState::Loading;
    const bool hasModels = m_modelRows->count() > 0;
    const bool hasDefault = QFileInfo::exists(
        app::modelsFolder() + QLatin1Char('/') + QLatin1String(app::kDefaultModelFile));
    if (loading) {
        const engine::ModelLoadProgress& progress = m_workspace.loadProgress();
        m_title->setText(
            tr("Loading %1")
                .arg(QFileInfo(QString::fromStdString(m_workspace.loadRequest().path)).fileName()));
        m_text->setText(progress.step.empty() ? tr("Opening the file…")
                                              : QString::fromStdString(progress.step));
        m_progress->setRange(0, progress.total > 0 ? 1000 : 0);
        m_progress->setValue(
            progress.total > 0 ? int(1000.0 * double(progress.done) / double(progress.total)) : 0);
    } else if (none) {
        m_title->setText(hasModels ? tr("Choose a model") : tr("Get a model to begin"));
        m_text->setText(hasModels ? tr("These were found on this machine. You can also drop a GGUF "
                                       "file anywhere in this window.")
                                  : tr("Models are GGUF files. None were found on this machine "
                                       "yet: get a small one here, or drop a "
                                       "file anywhere in this window. Nothing leaves your machine; "
                                       "there is no account."));
    } else {
        m_title->setText(tr("What would you like to ask?"));
        m_text->setText(
            tr("%1 is ready on %2. Every answer says why it ended: at an end token, at a length "
               "cap, or where you stopped it.")
                .arg(QString::fromStdString(m_workspace.model()->description.name),
                    QString::fromStdString(m_workspace.model()->description.device.name)));
    }
    m_modelList->setVisible(none && hasModels);
    m_progress->setVisible(loading);
    m_cancel->setVisible(loading);
    m_open->setVisible(none);
    m_fetch->setVisible(none && !hasDefault);
    m_fetchWords->setVisible(none && !m_fetchWords->text().isEmpty());
    m_device->setVisible(none && m_devices.found().has_value());
    if (m_devices.found())
        m_device->setText(app::describeDeviceChoice(*m_devices.found(), {}));
    emit resized();
}

void WelcomeCard::fetchModel()
{
    if (m_process.state() != QProcess::NotRunning) {
        m_process.terminate();
        return;
    }
    const QString tool = app::fetchTool();
    if (tool.isEmpty()) {
        showFetch(tr("Run this in a terminal, in the folder of the program's source: %1\n"
                     "Then choose \"Search again\" on the right.")
                      .arg(QStringLiteral("tools/fetch-model smollm2")));
        return;
    }
    m_fetchOutput.clear();
    m_fetch->setText(tr("Stop fetching"));
    showFetch(tr("Fetching SmolLM2, licence Apache-2.0…"));
    m_fetchTimer.start();
    m_process.start(tool, { QStringLiteral("smollm2") });
}

void WelcomeCard::showFetch(const QString& words)
{
    m_fetchWords->setText(words);
    m_fetchWords->setVisible(!words.isEmpty());
    emit resized();
}

void WelcomeCard::fetchEnded(bool succeeded)
{
    m_fetchTimer.stop();
    m_fetch->setText(tr("Get SmolLM2 (98 MB)"));
    if (!succeeded) {
        const QString output = m_fetchOutput.trimmed();
        showFetch(tr("The model could not be fetched. What was fetched is kept for the next try.")
            + QLatin1Char('\n') + (output.isEmpty() ? m_process.errorString() : output.right(600)));
        return;
    }
    showFetch({});
    emit modelChosen(
        app::modelsFolder() + QLatin1Char('/') + QLatin1String(app::kDefaultModelFile));
    m_models.search(app::modelFolders());
}

} // namespace ui
