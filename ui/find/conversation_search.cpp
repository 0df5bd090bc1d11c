#include "ui/find/conversation_search.h"

#include "ui/find/find_line.h"
#include "ui/find/search_results.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QListView>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kPauseMs = 150;
    constexpr int kMostHits = 200;
}

ConversationSearch::ConversationSearch(app::Storage* storage, QWidget* list, QWidget* parent)
    : QWidget(parent)
    , m_storage(storage)
    , m_list(list)
    , m_line(new FindLine(this))
    , m_note(new NoteLabel(this))
    , m_results(new QListView(this))
    , m_model(new SearchResultsModel(this))
{
    m_line->setObjectName(QStringLiteral("searchConversations"));
    m_line->setPlaceholderText(tr("Search… words, is:partial"));
    m_line->setAccessibleName(tr("Search in all conversations"));
    m_line->setToolTip(tr("Search in all conversations (Ctrl+Shift+F)\n"
                          "Words, or a “phrase in quotes”; also\n"
                          "is:partial  is:writing  is:capped  is:stopped  is:complete  is:edited\n"
                          "reason:context_full  reason:length_cap …\n"
                          "model:name  folder:name  in:title\n"
                          "before:2026-11-30  after:2026-11-01\n"
                          "Private chats are not searched."));
    m_line->setVisible(storage);
    m_note->setObjectName(QStringLiteral("searchNote"));
    m_results->setObjectName(QStringLiteral("searchResults"));
    m_results->setAccessibleName(tr("What was found"));
    m_results->setModel(m_model);
    m_results->setItemDelegate(new SearchResultDelegate(m_results));
    m_results->setFrameShape(QFrame::NoFrame);
    m_results->setUniformItemSizes(true);
    m_results->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_results->setResizeMode(QListView::Adjust);
    m_results->setMouseTracking(true);
    m_results->viewport()->setAutoFillBackground(false);
    m_results->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gridUnit(this));
    column->addWidget(m_line);
    column->addWidget(m_note);
    column->addWidget(m_list, 1);
    column->addWidget(m_results, 1);
    m_note->hide();
    m_results->hide();
    setTabOrder(m_line, m_list);
    setTabOrder(m_list, m_results);

    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &ConversationSearch::search);
    connect(m_line, &QLineEdit::textChanged, this, &ConversationSearch::textChanged);
    connect(m_line, &FindLine::closeRequested, this, &ConversationSearch::clear);
    connect(m_line, &FindLine::nextRequested, this, &ConversationSearch::choose);
    connect(m_line, &FindLine::stepRequested, this, &ConversationSearch::step);
    connect(m_results, &QListView::clicked, this, &ConversationSearch::choose);
}

bool ConversationSearch::isSearching() const { return !m_line->text().trimmed().isEmpty(); }

void ConversationSearch::focusLine()
{
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

bool ConversationSearch::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey
        = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != m_results || !isKey)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (key != Qt::Key_Escape && !isEnter)
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true;
    if (isEnter)
        choose();
    else
        clear();
    return true;
}

void ConversationSearch::textChanged()
{
    ++m_asked;
    m_isWaiting = false;
    m_choosesFirst = false;
    m_list->setVisible(!isSearching());
    m_results->setVisible(isSearching());
    if (isSearching()) {
        m_pause.start();
        return;
    }
    m_pause.stop();
    m_model->setHits({});
    setNote({});
}

void ConversationSearch::search()
{
    m_pause.stop();
    if (!m_storage || !isSearching())
        return;
    app::SearchQuery query = app::readSearchQuery(m_line->text());
    if (!query.problem.isEmpty()) {
        m_model->setHits({});
        setNote(query.problem);
        return;
    }
    m_isWaiting = true;
    m_storage->search(std::move(query), kMostHits,
        [this, asker = QPointer(this), asked = ++m_asked](
            const engine::Result<std::vector<app::SearchHit>>& hits) {
            if (asker && asked == m_asked)
                show(hits);
        });
}

void ConversationSearch::show(const engine::Result<std::vector<app::SearchHit>>& hits)
{
    m_isWaiting = false;
    if (!hits) {
        m_model->setHits({});
        setNote(tr("The search failed: %1").arg(QString::fromStdString(hits.error().message)));
        return;
    }
    m_model->setHits(*hits);
    setNote(hits->empty() ? tr("Nothing found in your conversations. Fewer or shorter words find "
                               "more; Esc shows the list again.")
            : int(hits->size()) >= kMostHits ? tr("The latest %1 places are shown.").arg(kMostHits)
                                             : QString());
    if (hits->empty())
        return;
    m_results->setCurrentIndex(m_model->index(0));
    if (std::exchange(m_choosesFirst, false))
        choose();
}

void ConversationSearch::setNote(const QString& text)
{
    m_note->setNote(text);
    m_note->setVisible(!text.isEmpty());
}

void ConversationSearch::choose()
{
    if (m_pause.isActive())
        search();
    if (m_isWaiting) {
        m_choosesFirst = true;
        return;
    }
    const int row = m_results->currentIndex().row();
    if (row >= 0 && size_t(row) < m_model->hits().size())
        emit hitChosen(app::SearchHit(m_model->hits()[size_t(row)]));
}

void ConversationSearch::step(int step)
{
    const int row = std::clamp(
        m_results->currentIndex().row() + step, 0, std::max(0, m_model->rowCount() - 1));
    if (m_model->rowCount() > 0)
        m_results->setCurrentIndex(m_model->index(row));
}

void ConversationSearch::clear()
{
    if (m_line->text().isEmpty())
        return m_list->setFocus(Qt::OtherFocusReason);
    m_line->clear();
    m_line->setFocus();
}

} // namespace ui
