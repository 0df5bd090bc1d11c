#include "ui/compare/variants_dialog.h"

#include "ui/settings/stop_settings.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace ui {

using app::VariedThing;

namespace {
    QStringList listed(const QString& text)
    {
        static const QRegularExpression kGap(QStringLiteral("[\\s,;]+"));
        return text.split(kGap, Qt::SkipEmptyParts);
    }

    /// System texts have lines of their own: a line of three hyphens stands between two.
    QStringList systemTexts(const QString& text)
    {
        static const QRegularExpression kRule(QStringLiteral("^---\\s*$"), QRegularExpression::MultilineOption);
        QStringList texts;
        for (const QString& part : text.split(kRule))
            texts.append(part.trimmed());
        return texts;
    }

    /// A set in each line, as the settings on the right write one.
    std::vector<QStringList> stopSets(const QString& text)
    {
        std::vector<QStringList> sets;
        for (const QString& line : text.split(QLatin1Char('\n')))
            sets.push_back(splitStopStrings(line));
        return sets;
    }

    QListWidgetItem* addCheckable(QListWidget* list, const QString& text, bool isChecked)
    {
        auto* item = new QListWidgetItem(text, list);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(isChecked ? Qt::Checked : Qt::Unchecked);
        return item;
    }

    std::vector<int> checkedRows(const QListWidget& list)
    {
        std::vector<int> rows;
        for (int row = 0; row < list.count(); ++row)
            if (list.item(row)->checkState() == Qt::Checked)
                rows.push_back(row);
        return rows;
    }
}

VariantsDialog::VariantsDialog(app::ChatSettings base, const Choices& choices, QWidget* parent)
    : QDialog(parent)
    , m_base(std::move(base))
    , m_thing(new QComboBox(this))
    , m_pages(new QStackedWidget(this))
    , m_caps(new QLineEdit(this))
    , m_temperatures(new QLineEdit(this))
    , m_seedCount(new QSpinBox(this))
    , m_presetList(new QListWidget(this))
    , m_systemTexts(new QPlainTextEdit(this))
    , m_stopStrings(new QPlainTextEdit(this))
    , m_templateList(new QListWidget(this))
    , m_modelList(new QListWidget(this))
    , m_help(new NoteLabel(this))
    , m_sum(new QLabel(this))
{
    const int unit = gridUnit(this);
    setWindowTitle(tr("Compare with other settings"));
    m_caps->setText(QStringLiteral("%1, %2, %3").arg(m_base.lengthCap).arg(m_base.lengthCap * 2).arg(m_base.lengthCap * 4));
    m_temperatures->setText(QStringLiteral("0, 0.5, 1"));
    m_systemTexts->setPlainText(m_base.systemText + QStringLiteral("\n---\n"));
    m_caps->setAccessibleName(tr("Length caps"));
    m_temperatures->setAccessibleName(tr("Temperatures"));
    m_systemTexts->setAccessibleName(tr("System texts"));
    m_stopStrings->setPlainText(
        m_base.stopStrings.isEmpty() ? QString() : joinStopStrings(m_base.stopStrings) + QLatin1Char('\n'));
    m_stopStrings->setAccessibleName(tr("Sets of stop strings"));
    for (QPlainTextEdit* edit : { m_systemTexts, m_stopStrings })
        edit->setTabChangesFocus(true);
    m_thing->setAccessibleName(tr("What is varied"));
    addThing(VariedThing::LengthCap, tr("Length cap"), m_caps, tr("New tokens, separated by blanks or commas."));
    addThing(VariedThing::Temperature, tr("Temperature"), m_temperatures, tr("Separated by blanks or commas."));
    addThing(VariedThing::Seed, tr("Seed"), buildSeeds(), tr("How many runs, each with a seed of its own."));
    addThing(VariedThing::Preset, tr("Preset"), buildPresets(choices.store),
        tr("Presets are made in the settings on the right."));
    addThing(VariedThing::SystemText, tr("System text"), m_systemTexts,
        tr("With a line of three hyphens (---) between two. An empty one is none."));
    addThing(VariedThing::StopStrings, tr("Stop strings"), m_stopStrings,
        tr("A set in each line, with | between two strings; \\n is a line end. An empty line is none."));
    addThing(VariedThing::EndTokens, tr("End tokens heeded and ignored"), new QWidget(this), {});
    addThing(VariedThing::Template, tr("Template"), buildTemplates(),
        tr("What writes the conversation as the model's prompt. Without one it is plain text, without roles."));
    addThing(VariedThing::Model, tr("Model"), buildModels(choices),
        tr("They are loaded one after another, each with its own template; at the end the model of now is loaded "
           "again. Meanwhile no other answer can be written."));

    auto* column = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->addRow(tr("&Vary"), m_thing);
    column->addLayout(form);
    column->addWidget(m_pages);
    column->addWidget(m_help);
    m_sum->setTextFormat(Qt::PlainText);
    m_sum->setWordWrap(true);
    m_sum->setObjectName(QStringLiteral("variantSum"));
    m_sum->setMinimumWidth(unit * 44);
    column->addWidget(m_sum);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_run = buttons->addButton(tr("Run"), QDialogButtonBox::AcceptRole);
    m_run->setDefault(true);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_thing, &QComboBox::currentIndexChanged, this, &VariantsDialog::refresh);
    connect(m_caps, &QLineEdit::textChanged, this, &VariantsDialog::refresh);
    connect(m_temperatures, &QLineEdit::textChanged, this, &VariantsDialog::refresh);
    connect(m_seedCount, &QSpinBox::valueChanged, this, &VariantsDialog::refresh);
    connect(m_presetList, &QListWidget::itemChanged, this, &VariantsDialog::refresh);
    for (const QListWidget* list : { m_templateList, m_modelList })
        connect(list, &QListWidget::itemChanged, this, &VariantsDialog::refresh);
    for (const QPlainTextEdit* edit : { m_systemTexts, m_stopStrings })
        connect(edit, &QPlainTextEdit::textChanged, this, &VariantsDialog::refresh);
    refresh();
}

void VariantsDialog::addThing(VariedThing thing, const QString& name, QWidget* page, const QString& help)
{
    m_thing->addItem(name, int(thing));
    m_pages->addWidget(page);
    m_helps.append(help);
}

QWidget* VariantsDialog::buildSeeds()
{
    m_seedCount->setRange(1, int(app::kLargestGrid));
    m_seedCount->setValue(4);
    m_seedCount->setAccessibleName(tr("How many seeds"));
    if (m_base.fixedSeed)
        m_seeds.append(QString::number(*m_base.fixedSeed));
    while (m_seeds.size() < qsizetype(app::kLargestGrid))
        m_seeds.append(QString::number(QRandomGenerator::system()->generate()));
    return m_seedCount;
}

QWidget* VariantsDialog::buildPresets(const app::SettingsFile& store)
{
    m_presetList->setAccessibleName(tr("Presets"));
    for (const QString& name : store.presetNames())
        if (const auto preset = store.preset(name)) {
            m_presets.push_back(*preset);
            m_presets.back().preset = name;
            addCheckable(m_presetList, name, true);
        }
    return m_presetList;
}

QWidget* VariantsDialog::buildTemplates()
{
    m_templateList->setAccessibleName(tr("Templates"));
    m_formats = app::choosableFormats();
    for (const app::PromptFormat& format : m_formats)
        addCheckable(m_templateList, app::formatWords(format), true);
    return m_templateList;
}

QWidget* VariantsDialog::buildModels(const Choices& choices)
{
    auto* page = new QWidget(this);
    m_modelList->setAccessibleName(tr("Models"));
    if (!choices.loadedModel.isEmpty())
        addModel(choices.loadedModel);
    for (const app::ModelFile& file : choices.models) {
        if (file.candidate.path == choices.loadedModel)
            continue;
        const bool isUsable = file.refusal.isEmpty();
        auto* item = addCheckable(m_modelList,
            isUsable ? file.candidate.name : tr("%1 (cannot be used)").arg(file.candidate.name), false);
        item->setData(Qt::UserRole, file.candidate.path);
        item->setToolTip((isUsable ? app::describeModelFile(file) : file.refusal).toHtmlEscaped());
        if (!isUsable)
            item->setFlags(Qt::NoItemFlags);
    }
    auto* button = new QPushButton(tr("Another file…"), page);
    button->setObjectName(QStringLiteral("addModelFile"));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, &VariantsDialog::askForModel);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_modelList);
    column->addWidget(button, 0, Qt::AlignLeft);
    return page;
}

void VariantsDialog::addModel(const QString& path)
{
    for (int row = 0; row < m_modelList->count(); ++row)
        if (m_modelList->item(row)->data(Qt::UserRole).toString() == path)
            return m_modelList->item(row)->setCheckState(Qt::Checked);
    auto* item = addCheckable(m_modelList, QFileInfo(path).completeBaseName(), false);
    item->setData(Qt::UserRole, path);
    item->setToolTip(path.toHtmlEscaped());
    item->setCheckState(Qt::Checked); // now that it has its path
}

void VariantsDialog::askForModel()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Choose a GGUF file"), {}, tr("GGUF models (*.gguf);;All files (*)"));
    if (!path.isEmpty())
        addModel(path);
}

void VariantsDialog::setThing(VariedThing thing) { m_thing->setCurrentIndex(m_thing->findData(int(thing))); }

void VariantsDialog::setValues(const QString& text)
{
    if (thing() == VariedThing::LengthCap)
        m_caps->setText(text);
    else if (thing() == VariedThing::Temperature)
        m_temperatures->setText(text);
    else if (thing() == VariedThing::SystemText)
        m_systemTexts->setPlainText(text);
    else if (thing() == VariedThing::StopStrings)
        m_stopStrings->setPlainText(text);
}

VariedThing VariantsDialog::thing() const { return VariedThing(m_thing->currentData().toInt()); }

engine::Result<std::vector<app::RunVariant>> VariantsDialog::read() const
{
    switch (thing()) {
    case VariedThing::LengthCap:
        return app::listedVariants(thing(), m_base, listed(m_caps->text()));
    case VariedThing::Temperature:
        return app::listedVariants(thing(), m_base, listed(m_temperatures->text()));
    case VariedThing::Seed:
        return app::listedVariants(thing(), m_base, m_seeds.mid(0, m_seedCount->value()));
    case VariedThing::SystemText:
        return app::listedVariants(thing(), m_base, systemTexts(m_systemTexts->toPlainText()));
    case VariedThing::StopStrings:
        return app::stopStringVariants(m_base, stopSets(m_stopStrings->toPlainText()));
    case VariedThing::EndTokens:
        return app::listedVariants(thing(), m_base);
    case VariedThing::Template:
        return readTemplates();
    case VariedThing::Model:
        return readModels();
    case VariedThing::Preset:
        break;
    }
    std::vector<app::ChatSettings> chosen;
    for (const int row : checkedRows(*m_presetList))
        chosen.push_back(m_presets[size_t(row)]);
    return app::presetVariants(m_base, chosen);
}

engine::Result<std::vector<app::RunVariant>> VariantsDialog::readTemplates() const
{
    std::vector<app::PromptFormat> chosen;
    for (const int row : checkedRows(*m_templateList))
        chosen.push_back(m_formats[size_t(row)]);
    return app::templateVariants(m_base, chosen);
}

engine::Result<std::vector<app::RunVariant>> VariantsDialog::readModels() const
{
    QStringList paths;
    for (const int row : checkedRows(*m_modelList))
        paths.append(m_modelList->item(row)->data(Qt::UserRole).toString());
    return app::modelVariants(m_base, paths);
}

void VariantsDialog::refresh()
{
    const int index = m_thing->currentIndex();
    m_pages->setCurrentIndex(index);
    // As high as its page only: a line of caps needs less room than a list.
    for (int i = 0; i < m_pages->count(); ++i)
        m_pages->widget(i)->setSizePolicy(QSizePolicy::Preferred, i == index ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    m_help->setNote(m_helps[index]);
    m_help->setVisible(!m_helps[index].isEmpty());
    auto variants = read();
    m_variants = variants ? std::move(*variants) : std::vector<app::RunVariant>();
    QStringList labels;
    for (const app::RunVariant& variant : m_variants)
        labels.append(variant.label);
    const QString runs = labels.size() == 1 ? tr("1 run: %1") : tr("%L1 runs: %2").arg(labels.size());
    renew(m_sum, variants ? runs.arg(labels.join(QStringLiteral(" · "))) : QString::fromStdString(variants.error().message));
    m_run->setEnabled(!m_variants.empty());
    // A longer list is not cut: nobody would know of the runs that are not seen.
    if (const int needed = layout()->totalHeightForWidth(width()); isVisible() && needed > height())
        resize(width(), needed);
}

} // namespace ui
