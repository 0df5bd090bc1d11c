#include "ui/compare/aligned_view.h"

#include "ui/compare/difference_words.h"
#include "ui/compare/step_distribution.h"
#include "ui/theme/table_tsv.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace ui {

namespace {
    /// Whether run could have had the other's token there: an id means the same only in one vocabulary.
    bool maySwap(const app::ComparedRun& run, const app::ComparedRun& other, size_t token)
    {
        return token < run.tokens.size() && token < other.tokens.size() && app::isSameFile(run, other)
            && other.tokens[token].id >= 0 && !app::isSameToken(run, other, token);
    }
}

AlignedView::AlignedView(QWidget* parent)
    : QWidget(parent)
    , m_model(new AlignedModel(this))
    , m_table(new QTableView(this))
    , m_first(new QPushButton(tr("&First difference"), this))
    , m_causes(new QLabel(this))
    , m_steps(new QWidget(this))
{
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Runs token by token"));
    m_table->setObjectName(QStringLiteral("aligned"));
    m_table->setTabKeyNavigation(false);
    m_table->installEventFilter(this); // by itself it copies one cell
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(3 * gridUnit(this));
    m_first->setObjectName(QStringLiteral("firstDifference"));
    m_first->setAutoDefault(false);
    m_causes->setObjectName(QStringLiteral("causes"));
    m_causes->setWordWrap(true);
    m_causes->setTextFormat(Qt::PlainText);
    m_causes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_causes->setAccessibleName(tr("Where the runs part, and why"));
    auto* steps = new QHBoxLayout(m_steps);
    steps->setContentsMargins(0, 0, 0, 0);
    for (size_t i = 0; i < kMostRuns; ++i) {
        auto* distribution = new StepDistribution(m_steps);
        m_distributions.push_back(distribution);
        steps->addWidget(distribution, 1);
        connect(distribution, &StepDistribution::swapRequested, this,
            [this, i](engine::TokenId id) { emit swapRequested(i, m_token, id); });
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_first, 0, Qt::AlignLeft);
    column->addWidget(m_causes);
    column->addWidget(m_table, 1);
    column->addWidget(m_steps);
    connect(m_first, &QPushButton::clicked, this, [this] {
        if (showFirstDifference())
            m_table->setFocus();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& index) {
            if (index.isValid())
                showToken(size_t(index.row()));
        });
    setRuns({});
}

void AlignedView::setRuns(std::vector<AlignedRun> runs)
{
    if (runs.size() > kMostRuns)
        runs.resize(kMostRuns);
    const bool isLookedAt = m_table->currentIndex().isValid();
    m_model->setRuns(nullptr);
    m_runs = std::move(runs);
    m_model->setRuns(&m_runs);
    for (size_t i = 0; i < kMostRuns; ++i)
        m_distributions[i]->setVisible(i < m_runs.size());
    m_first->setEnabled(m_model->firstDifference().has_value());
    m_steps->setVisible(false);
    showCauses();
    if (isLookedAt && int(m_token) < m_model->rowCount())
        m_table->setCurrentIndex(m_model->index(int(m_token), 0));
}

void AlignedView::showCauses()
{
    QStringList lines;
    for (size_t i = 1; i < m_runs.size(); ++i)
        lines.append(
            differenceWords(m_runs[0], m_runs[i], app::differenceOf(m_runs[0].run, m_runs[i].run)));
    m_causes->setText(lines.join(QLatin1Char('\n')));
}

bool AlignedView::showFirstDifference()
{
    const auto token = m_model->firstDifference();
    if (!token)
        return false;
    m_table->setCurrentIndex(m_model->index(int(*token), 0));
    m_table->scrollTo(m_model->index(int(*token), 0), QAbstractItemView::PositionAtCenter);
    showToken(*token);
    return true;
}

void AlignedView::showToken(size_t token)
{
    m_token = token;
    m_steps->setVisible(!m_runs.empty());
    for (size_t i = 0; i < m_runs.size(); ++i) {
        // The first run may take what another has there; the others what the first has.
        std::optional<engine::TokenId> swap;
        for (size_t other = 0; m_offersSwaps && other < m_runs.size() && !swap; ++other)
            if ((i == 0) != (other == 0) && maySwap(m_runs[i].run, m_runs[other].run, token))
                swap = m_runs[other].run.tokens[token].id;
        m_distributions[i]->showStep(m_runs[i], token, swap);
    }
}

QString AlignedView::tsv() const { return tableTsv(*m_table, tr("token")); }

bool AlignedView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
        return QWidget::eventFilter(watched, event);
    QApplication::clipboard()->setText(tsv());
    return true;
}

void AlignedView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(tsv());
    else
        QWidget::keyPressEvent(event);
}

} // namespace ui
