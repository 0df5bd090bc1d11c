#include "ui/compare/variants_dialog.h"

#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
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
}

VariantsDialog::VariantsDialog(app::ChatSettings base, const app::SettingsFile& store, QWidget* parent)
    : QDialog(parent)
    , m_base(std::move(base))
    , m_thing(new QComboBox(this))
    , m_pages(new QStackedWidget(this))
    , m_caps(new QLineEdit(this))
    , m_temperatures(new QLineEdit(this))
    , m_seedCount(new QSpinBox(this))
    , m_presetList(new QListWidget(this))
    , m_systemTexts(new QPlainTextEdit(this))
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
    m_systemTexts->setTabChangesFocus(true);
    m_thing->setAccessibleName(tr("What is varied"));
    addThing(VariedThing::LengthCap, tr("Length cap"), m_caps, tr("New tokens, separated by blanks or commas."));
    addThing(VariedThing::Temperature, tr("Temperature"), m_temperatures, tr("Separated by blanks or commas."));
    addThing(VariedThing::Seed, tr("Seed"), buildSeeds(), tr("How many runs, each with a seed of its own."));
    addThing(VariedThing::Preset, tr("Preset"), buildPresets(store),
        tr("Presets are made in the settings on the right."));
    addThing(VariedThing::SystemText, tr("System text"), m_systemTexts,
        tr("With a line of three hyphens (---) between two. An empty one is none."));
    addThing(VariedThing::StopStrings, tr("Stop strings on and off"), new QWidget(this), {});
    addThing(VariedThing::EndTokens, tr("End tokens heeded and ignored"), new QWidget(this), {});

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
    connect(m_systemTexts, &QPlainTextEdit::textChanged, this, &VariantsDialog::refresh);
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
            auto* item = new QListWidgetItem(name, m_presetList);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
            item->setCheckState(Qt::Checked);
        }
    return m_presetList;
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
    case VariedThing::EndTokens:
        return app::listedVariants(thing(), m_base);
    case VariedThing::Preset:
        break;
    }
    std::vector<app::ChatSettings> chosen;
    for (int row = 0; row < m_presetList->count(); ++row)
        if (m_presetList->item(row)->checkState() == Qt::Checked)
            chosen.push_back(m_presets[size_t(row)]);
    return app::presetVariants(m_base, chosen);
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
}

} // namespace ui
