#include "ui/chat/text_surface.h"

#include "ui/markdown/markdown_reader.h"
#include "ui/theme/icon.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

void copyToClipboard(const QString& text) { QApplication::clipboard()->setText(text); }

TextSurface::TextSurface(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCursor(Qt::IBeamCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

BlockStyle TextSurface::style() const
{
    BlockStyle style;
    style.font = font();
    style.codeFont = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (font().pointSizeF() > 0)
        style.codeFont.setPointSizeF(font().pointSizeF() * 0.95);
    style.unit = gridUnit(this);
    return style;
}

void TextSurface::setBlocks(const std::vector<MarkdownBlock>& blocks, size_t firstChanged)
{
    firstChanged = std::min({ firstChanged, m_blocks.size(), blocks.size() });
    for (size_t i = firstChanged; i < blocks.size(); ++i) {
        if (i >= m_blocks.size())
            m_blocks.emplace_back(blocks[i]);
        else
            m_blocks[i].setBlock(blocks[i]);
    }
    m_blocks.erase(m_blocks.begin() + long(blocks.size()), m_blocks.end());
    m_firstDirty = std::min(m_firstDirty, firstChanged);
    const auto limit = [&](TextPlace& place) {
        if (place.block >= m_blocks.size())
            place = {};
    };
    limit(m_anchor);
    limit(m_caret);
    if (width() > 0)
        layOut(width());
    placeCopyButtons();
    updateGeometry();
    update();
}

qreal TextSurface::gapBefore(size_t block) const
{
    if (block == 0)
        return 0;
    const qreal unit = gridUnit(this);
    const MarkdownBlock& here = m_blocks[block].block();
    const MarkdownBlock& before = m_blocks[block - 1].block();
    if (here.tight && before.tight && here.kind != BlockKind::Code)
        return unit * 0.25;
    if (here.kind == BlockKind::Heading)
        return unit * 2;
    if (before.kind == BlockKind::Heading)
        return unit * 0.75;
    return unit * 1.25;
}

void TextSurface::layOut(int width) const
{
    const size_t first = width == m_laidOutWidth ? m_firstDirty : 0;
    const BlockStyle blockStyle = style();
    m_tops.resize(m_blocks.size() + 1);
    qreal y = first == 0 ? 0 : m_tops[first - 1] + m_blocks[first - 1].height();
    for (size_t i = first; i < m_blocks.size(); ++i) {
        m_blocks[i].setWidth(width, blockStyle);
        y += std::round(gapBefore(i));
        m_tops[i] = y;
        y += std::ceil(m_blocks[i].height());
    }
    m_tops.back() = y;
    layOutGhost(width);
    m_laidOutWidth = width;
    m_firstDirty = m_blocks.size();
}

void TextSurface::layOutGhost(int width) const
{
    const BlockStyle blockStyle = style();
    GhostText::Start start;
    start.column = QRectF(0, 0, width, 1);
    start.onNewLine = m_ghostGap.contains(QLatin1Char('\n'));
    start.afterSpace = !m_ghostGap.isEmpty();
    QFont ghostFont = blockStyle.font;
    if (!m_blocks.empty()) {
        const BlockLayout& last = m_blocks.back();
        const qreal top = m_tops[m_blocks.size() - 1];
        start.column = last.viewport().translated(0, top);
        start.caret = last.endCaret().translated(-BlockLayout::kCaretGap, top);
        if (start.caret.isEmpty()) // a rule: below it
            start.column.moveTop(top + last.height());
        if (last.block().kind == BlockKind::Code)
            ghostFont = blockStyle.codeFont;
    }
    m_ghost.layOut(ghostFont, start);
}

void TextSurface::setGhost(const QString& text, const QString& gap)
{
    if (text == m_ghost.text() && gap == m_ghostGap)
        return;
    m_ghost.setText(text);
    m_ghostGap = gap;
    m_firstDirty = std::min(m_firstDirty, m_blocks.empty() ? 0 : m_blocks.size() - 1);
    if (width() > 0)
        layOut(width());
    updateGeometry();
    update();
}

int TextSurface::heightForWidth(int width) const
{
    if (width != m_laidOutWidth || m_firstDirty < m_blocks.size()
        || m_tops.size() != m_blocks.size() + 1)
        layOut(width);
    const int height = int(std::ceil(std::max(m_tops.back(), m_ghost.bottom())));
    return std::max(height, m_blocks.empty() ? 0 : fontMetrics().height());
}

int TextSurface::naturalWidth(int mostWidth) const
{
    layOut(mostWidth);
    qreal widest = 0;
    for (const BlockLayout& block : m_blocks)
        widest = std::max(widest, block.naturalWidth());
    return std::min(mostWidth, int(std::ceil(widest)) + 1);
}

QString TextSurface::plainText() const
{
    QStringList texts;
    for (const BlockLayout& block : m_blocks)
        texts.append(block.text());
    return texts.join(QStringLiteral("\n\n"));
}

TextRange TextSurface::selectionIn(size_t block) const
{
    const auto [first, last] = std::minmax(m_anchor, m_caret);
    if (block < first.block || block > last.block)
        return {};
    const int length = int(m_blocks[block].text().size());
    return { block == first.block ? first.position : 0,
        block == last.block ? last.position : length };
}

QString TextSurface::selectedText() const
{
    if (!hasSelection())
        return {};
    const auto [first, last] = std::minmax(m_anchor, m_caret);
    QStringList texts;
    for (size_t i = first.block; i <= last.block && i < m_blocks.size(); ++i) {
        const TextRange range = selectionIn(i);
        texts.append(m_blocks[i].text().mid(range.start, range.end - range.start));
    }
    return texts.join(QStringLiteral("\n\n"));
}

bool TextSurface::hasSelection() const { return m_anchor != m_caret; }

void TextSurface::setCaretShown(bool shown)
{
    if (shown == m_isCaretShown)
        return;
    m_isCaretShown = shown;
    update();
}

void TextSurface::selectAll()
{
    if (m_blocks.empty())
        return;
    m_anchor = {};
    m_caret = endPlace();
    update();
}

TextPlace TextSurface::endPlace() const
{
    if (m_blocks.empty())
        return {};
    return { m_blocks.size() - 1, int(m_blocks.back().text().size()) };
}

void TextSurface::select(TextPlace from, TextPlace to)
{
    const auto limited = [this](TextPlace place) {
        if (place.block >= m_blocks.size())
            return endPlace();
        place.position = std::clamp(place.position, 0, int(m_blocks[place.block].text().size()));
        return place;
    };
    m_anchor = limited(from);
    m_caret = limited(to);
    m_isPlaceShown = true;
    update();
    const TextRange range = selection();
    QAccessibleTextSelectionEvent event(this, range.start, range.end);
    event.setCursorPosition(range.end);
    QAccessible::updateAccessibility(&event);
}

void TextSurface::setSeams(std::vector<TextPlace> places)
{
    if (places == m_seams)
        return;
    m_seams = std::move(places);
    update();
}

QRect TextSurface::caretRect() const
{
    if (m_blocks.empty())
        return {};
    heightForWidth(width());
    return m_blocks[m_caret.block]
        .caretAt(m_caret.position)
        .translated(0, m_tops[m_caret.block])
        .toAlignedRect();
}

int TextSurface::offsetOf(TextPlace place) const
{
    int offset = place.position;
    for (size_t i = 0; i < place.block && i < m_blocks.size(); ++i)
        offset += int(m_blocks[i].text().size()) + 2; // blocks are divided by an empty line
    return offset;
}

TextPlace TextSurface::placeOf(int offset) const
{
    for (size_t i = 0; i < m_blocks.size(); ++i) {
        const int length = int(m_blocks[i].text().size());
        if (offset <= length)
            return { i, offset };
        offset -= length + 2;
    }
    return endPlace();
}

void TextSurface::select(TextRange range) { select(placeOf(range.start), placeOf(range.end)); }

TextRange TextSurface::selection() const { return { offsetOf(m_anchor), offsetOf(m_caret) }; }

void TextSurface::clearSelection()
{
    m_anchor = m_caret;
    m_isPlaceShown = false;
    update();
}

size_t TextSurface::blockAt(qreal y) const
{
    for (size_t i = 0; i + 1 < m_blocks.size(); ++i)
        if (y < m_tops[i + 1])
            return i;
    return m_blocks.empty() ? 0 : m_blocks.size() - 1;
}

TextPlace TextSurface::placeAt(const QPointF& point) const
{
    if (m_blocks.empty())
        return {};
    const size_t block = blockAt(point.y());
    return { block, m_blocks[block].positionAt(point - QPointF(0, m_tops[block])) };
}

QString TextSurface::linkAt(const QPointF& point) const
{
    if (m_blocks.empty() || m_tops.empty())
        return {};
    const size_t block = blockAt(point.y());
    return m_blocks[block].linkAt(point - QPointF(0, m_tops[block]));
}

void TextSurface::placeCopyButtons()
{
    size_t used = 0;
    for (size_t i = 0; i < m_blocks.size() && i + 1 < m_tops.size(); ++i) {
        if (m_blocks[i].block().kind != BlockKind::Code)
            continue;
        if (used == m_copyButtons.size()) {
            auto* button = new QToolButton(this);
            button->setText(tr("Copy"));
            button->setAccessibleName(tr("Copy code"));
            button->setToolTip(tr("Copy this code"));
            button->setIcon(icon(IconName::Copy));
            button->setAutoRaise(true);
            button->setCursor(Qt::ArrowCursor);
            m_copyButtons.push_back(button);
        }
        QToolButton* button = m_copyButtons[used++];
        button->disconnect(this);
        connect(button, &QToolButton::clicked, this,
            [this, i] { copyToClipboard(m_blocks[i].block().content.text); });
        const QRectF header = m_blocks[i].header().translated(0, m_tops[i]);
        const QSize size = button->sizeHint();
        const int side = std::min(size.height(), int(header.height()));
        button->setGeometry(int(header.right()) - side - 2,
            int(header.top()) + (int(header.height()) - side) / 2, side, side);
        button->show();
    }
    for (size_t i = used; i < m_copyButtons.size(); ++i)
        m_copyButtons[i]->hide();
}

void TextSurface::paintEvent(QPaintEvent* event)
{
    heightForWidth(width());
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    const QRectF area = event->rect();
    for (size_t i = 0; i < m_blocks.size(); ++i) {
        const qreal top = m_tops[i];
        if (top + m_blocks[i].height() < area.top() || top > area.bottom())
            continue;
        painter.save();
        painter.translate(0, top);
        const QRectF visible = area.translated(0, -top);
        m_blocks[i].paint(painter, theme, selectionIn(i), visible, tintsIn(i, visible));
        painter.restore();
    }
    for (const TextPlace& seam : m_seams) {
        if (seam.block >= m_blocks.size())
            continue;
        // A tick that hangs from the line above the text: it covers no letter.
        const QRectF caret
            = m_blocks[seam.block].caretAt(seam.position).translated(0, m_tops[seam.block]);
        const qreal side = std::max(3.0, caret.height() / 5);
        const QPointF top(caret.center().x(), caret.top() + side);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawPolygon(
            QPolygonF({ top, top + QPointF(-side / 2, -side), top + QPointF(side / 2, -side) }));
    }
    m_ghost.paint(painter, theme);
    if (m_isCaretShown && !m_blocks.empty() && m_ghost.text().isEmpty())
        painter.fillRect(
            m_blocks.back().endCaret().translated(0, m_tops[m_blocks.size() - 1]), theme.accent);
    if (m_isPlaceShown && !hasSelection())
        painter.fillRect(QRectF(caretRect()), theme.accent);
    if (hasFocus() && !hasSelection() && m_blocks.size() > 0) {
        painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    emit painted();
}

void TextSurface::resizeEvent(QResizeEvent*)
{
    heightForWidth(width());
    placeCopyButtons();
}

void TextSurface::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_blocks.empty())
        return;
    const size_t block = blockAt(event->position().y());
    const QRectF bar = m_blocks[block].scrollBar().translated(0, m_tops[block]);
    if (!bar.isEmpty() && bar.adjusted(-4, -4, 4, 4).contains(event->position())) {
        m_scrolledBlock = block;
        return;
    }
    m_isPlaceShown = false;
    m_pressedLink = linkAt(event->position());
    m_caret = placeAt(event->position());
    if (!(event->modifiers() & Qt::ShiftModifier))
        m_anchor = m_caret;
    m_isSelecting = true;
    update();
}

void TextSurface::mouseMoveEvent(QMouseEvent* event)
{
    if (m_scrolledBlock) {
        BlockLayout& block = m_blocks[*m_scrolledBlock];
        const QRectF bar = block.scrollBar();
        const qreal share = (event->position().x() - bar.width() / 2)
            / std::max(1.0, qreal(width()) - bar.width());
        block.setScrollOffset(share * block.naturalWidth());
        update();
        return;
    }
    if (!m_isSelecting) {
        pointAt(tintAt(event->position()));
        setCursor(linkAt(event->position()).isEmpty() ? Qt::IBeamCursor : Qt::PointingHandCursor);
        return;
    }
    m_caret = placeAt(event->position());
    update();
}

void TextSurface::mouseReleaseEvent(QMouseEvent* event)
{
    m_scrolledBlock.reset();
    if (!std::exchange(m_isSelecting, false))
        return;
    const QString link = linkAt(event->position());
    if (!link.isEmpty() && link == m_pressedLink && !hasSelection())
        return emit linkActivated(link);
    if (const int tint = tintAt(event->position()); tint >= 0 && !hasSelection())
        emit tintClicked(tint);
}

void TextSurface::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_blocks.empty())
        return;
    const TextPlace place = placeAt(event->position());
    const TextRange word = m_blocks[place.block].wordAt(place.position);
    m_anchor = { place.block, word.start };
    m_caret = { place.block, word.end };
    m_isSelecting = true;
    update();
}

void TextSurface::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const bool sideways
        = std::abs(delta.x()) > std::abs(delta.y()) || (event->modifiers() & Qt::ShiftModifier);
    if (m_blocks.empty() || !sideways) {
        event->ignore();
        return;
    }
    BlockLayout& block = m_blocks[blockAt(event->position().y())];
    if (!block.isScrollable()) {
        event->ignore();
        return;
    }
    block.setScrollOffset(block.scrollOffset() - (delta.x() != 0 ? delta.x() : delta.y()));
    update();
}

void TextSurface::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy) && hasSelection())
        copyToClipboard(selectedText());
    else if (event->matches(QKeySequence::SelectAll))
        selectAll();
    else
        event->ignore();
}

void TextSurface::addLinkActions(QMenu& menu)
{
    constexpr int kMostLinks = 20;
    QStringList targets;
    for (const BlockLayout& block : m_blocks) {
        std::vector<const RichText*> texts { &block.block().content };
        for (const auto& row : block.block().rows)
            for (const RichText& cell : row)
                texts.push_back(&cell);
        for (const RichText* text : texts)
            for (const TextRun& run : text->runs)
                if (!run.link.isEmpty() && !targets.contains(run.link)
                    && targets.size() < kMostLinks)
                    targets.append(run.link);
    }
    if (targets.isEmpty())
        return;
    QMenu* links = menu.addMenu(tr("Open link"));
    for (const QString& target : targets) {
        QString shown = withoutBidiControls(target).left(80);
        links->addAction(shown.replace(QLatin1Char('&'), QStringLiteral("&&")), this,
            [this, target] { emit linkActivated(target); });
    }
}

void TextSurface::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu;
    QAction* copy = menu.addAction(
        icon(IconName::Copy), tr("Copy"), this, [this] { copyToClipboard(selectedText()); });
    copy->setEnabled(hasSelection());
    menu.addAction(tr("Copy message"), this, &TextSurface::copyMessageRequested);
    menu.addAction(tr("Select all"), this, &TextSurface::selectAll);
    if (m_isInspectable)
        menu.addAction(tr("Inspect tokens"), this, &TextSurface::inspectRequested);
    addLinkActions(menu);
    menu.exec(event->globalPos());
}

void TextSurface::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        m_laidOutWidth = -1;
        updateGeometry();
    }
    QWidget::changeEvent(event);
}

} // namespace ui
