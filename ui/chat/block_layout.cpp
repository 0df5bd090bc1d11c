#include "ui/chat/block_layout.h"

#include <QFontMetricsF>
#include <QTextBoundaryFinder>
#include <QTextOption>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    constexpr qreal kProseLineFactor = 1.35; // airy enough for long answers
    constexpr qreal kCodeLineFactor = 1.2;
    constexpr int kTabColumns = 4;
    constexpr qreal kUnlimited = 1 << 20; // wider than any line that stays Markdown
    constexpr qreal kQuoteIndentUnits = 2;

    qreal headingScale(int level)
    {
        constexpr qreal kScales[] = { 1.45, 1.25, 1.12, 1.0, 1.0, 1.0 };
        return kScales[std::clamp(level, 1, 6) - 1];
    }

    QFont scaled(QFont font, qreal factor)
    {
        if (font.pointSizeF() > 0)
            font.setPointSizeF(font.pointSizeF() * factor);
        else
            font.setPixelSize(std::max(1, int(std::lround(font.pixelSize() * factor))));
        return font;
    }

    QString forLayout(QString text)
    {
        return text.replace(QLatin1Char('\n'), QChar::LineSeparator);
    }
}

BlockLayout::BlockLayout(MarkdownBlock block)
    : m_block(std::move(block))
{
}

void BlockLayout::setBlock(MarkdownBlock block)
{
    if (block == m_block)
        return;
    const qsizetype known = m_block.content.text.size();
    const bool grows = block.kind == BlockKind::Code && m_block.kind == BlockKind::Code
        && block.containers == m_block.containers && block.language == m_block.language
        && block.content.text.startsWith(m_block.content.text);
    m_block = std::move(block);
    m_isLaidOut = false;
    if (!grows || m_parts.empty()) {
        m_parts.clear();
        return;
    }
    // The last line may have grown; all before it stay.
    const qsizetype lineStart
        = known == 0 ? 0 : m_block.content.text.lastIndexOf(QLatin1Char('\n'), known - 1) + 1;
    while (!m_parts.empty() && m_parts.back().start >= lineStart)
        m_parts.pop_back();
    addCodeLines(int(lineStart));
}

void BlockLayout::setWidth(qreal width, const BlockStyle& style)
{
    const bool newStyle = m_style.font != style.font || m_style.codeFont != style.codeFont
        || m_style.unit != style.unit;
    if (m_isLaidOut && width == m_width && !newStyle)
        return;
    m_width = width;
    m_style = style;
    if (newStyle)
        m_parts.clear();
    if (m_parts.empty())
        rebuildParts();
    layOut();
    m_isLaidOut = true;
}

QFont BlockLayout::partFont() const
{
    if (m_block.kind == BlockKind::Code)
        return m_style.codeFont;
    QFont font = m_style.font;
    if (m_block.kind == BlockKind::Heading) {
        font = scaled(font, headingScale(m_block.headingLevel));
        font.setWeight(QFont::DemiBold);
    }
    return font;
}

BlockLayout::Part BlockLayout::makePart(const RichText& rich, int start) const
{
    Part part;
    part.start = start;
    part.layout = std::make_unique<QTextLayout>(forLayout(rich.text), partFont());
    part.layout->setCacheEnabled(true);
    QList<QTextLayout::FormatRange> formats;
    for (const TextRun& run : rich.runs) {
        QTextCharFormat format;
        if (run.styles & TextRun::Bold)
            format.setFontWeight(QFont::Bold);
        if (run.styles & TextRun::Italic)
            format.setFontItalic(true);
        if (run.styles & TextRun::Strike)
            format.setFontStrikeOut(true);
        if (run.styles & TextRun::Code)
            format.setFontFamilies(m_style.codeFont.families().isEmpty()
                    ? QStringList { m_style.codeFont.family() }
                    : m_style.codeFont.families());
        if (!run.link.isEmpty())
            format.setFontUnderline(true);
        formats.append({ run.start, run.length, format });
    }
    part.layout->setFormats(formats);
    return part;
}

void BlockLayout::addCodeLines(int fromOffset)
{
    const QString& text = m_block.content.text;
    for (qsizetype start = fromOffset; start <= text.size();) {
        qsizetype end = text.indexOf(QLatin1Char('\n'), start);
        if (end < 0)
            end = text.size();
        m_parts.push_back(makePart({ text.mid(start, end - start), {} }, int(start)));
        start = end + 1;
    }
}

void BlockLayout::rebuildParts()
{
    m_parts.clear();
    if (m_block.kind == BlockKind::Code)
        return addCodeLines(0);
    if (m_block.kind == BlockKind::Rule)
        return;
    if (m_block.kind != BlockKind::Table) {
        m_parts.push_back(makePart(m_block.content, 0));
        return;
    }
    int position = 0;
    for (size_t row = 0; row < m_block.rows.size(); ++row)
        for (const RichText& cell : m_block.rows[row]) {
            RichText shown = cell;
            if (row == 0)
                shown.runs.insert(
                    shown.runs.begin(), { 0, int(cell.text.size()), TextRun::Bold, {} });
            m_parts.push_back(makePart(shown, position));
            position += int(cell.text.size()) + 1;
        }
}

QString BlockLayout::text() const
{
    if (m_block.kind != BlockKind::Table)
        return m_block.content.text;
    QStringList lines;
    for (const auto& row : m_block.rows) {
        QStringList cells;
        for (const RichText& cell : row)
            cells.append(cell.text);
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n'));
}

void BlockLayout::layOut()
{
    m_header = {};
    m_columnEdges.clear();
    m_rowEdges.clear();
    qreal left = 0;
    for (const BlockContainer& container : m_block.containers)
        left += m_style.unit
            * (container.kind == BlockContainer::Kind::Quote ? kQuoteIndentUnits : 3);
    const qreal width = std::max(m_style.unit * 6, m_width - left);
    switch (m_block.kind) {
    case BlockKind::Code:
        layOutCode(left, width);
        break;
    case BlockKind::Table:
        layOutTable(left, width);
        break;
    case BlockKind::Rule:
        m_viewport = QRectF(left, 0, width, m_style.unit);
        m_height = m_style.unit;
        m_contentWidth = m_naturalWidth = width;
        break;
    default:
        layOutText(left, width);
        break;
    }
    setScrollOffset(m_scrollOffset);
}

qreal BlockLayout::layOutPart(Part& part, qreal width, Qt::Alignment alignment, qreal lineFactor)
{
    QTextOption option(alignment);
    const bool wraps = m_block.kind != BlockKind::Code;
    option.setWrapMode(wraps ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::NoWrap);
    option.setTabStopDistance(
        QFontMetricsF(partFont()).horizontalAdvance(QLatin1Char(' ')) * kTabColumns);
    // Code reads from the left whatever its letters are.
    if (!wraps)
        option.setTextDirection(Qt::LeftToRight);
    part.layout->setTextOption(option);
    qreal y = 0;
    qreal widest = 0;
    part.layout->beginLayout();
    for (QTextLine line = part.layout->createLine(); line.isValid();
         line = part.layout->createLine()) {
        line.setLineWidth(width);
        const qreal slot = std::ceil(line.height() * lineFactor);
        line.setPosition({ 0, y + std::floor((slot - line.height()) / 2) });
        widest = std::max(widest, line.naturalTextWidth());
        y += slot;
    }
    part.layout->endLayout();
    part.height = y;
    return widest;
}

void BlockLayout::layOutText(qreal left, qreal width)
{
    Part& part = m_parts.front();
    m_naturalWidth = left + layOutPart(part, width, Qt::AlignLeft, kProseLineFactor);
    part.origin = {};
    m_height = part.height;
    m_viewport = QRectF(left, 0, width, m_height);
    m_contentWidth = 0;
}

void BlockLayout::layOutCode(qreal left, qreal width)
{
    const qreal pad = std::ceil(m_style.unit * 1.25);
    m_header
        = QRectF(left, 0, width, std::ceil(QFontMetricsF(m_style.font).height() + m_style.unit));
    qreal y = 0;
    qreal widest = 0;
    for (Part& part : m_parts) {
        if (part.height == 0)
            layOutPart(part, kUnlimited, Qt::AlignLeft, kCodeLineFactor);
        part.origin = { 0, y };
        y += part.height;
        if (part.layout->lineCount() > 0)
            widest = std::max(widest, part.layout->lineAt(0).naturalTextWidth());
    }
    m_contentWidth = widest;
    m_naturalWidth = left + widest + 2 * pad;
    m_viewport = QRectF(left + pad, m_header.bottom(), width - 2 * pad, y);
    m_height = m_viewport.bottom() + pad + (isScrollable() ? m_style.unit : 0);
}

void BlockLayout::layOutTable(qreal left, qreal width)
{
    const size_t columnCount = m_block.columns.size();
    const qreal padX = m_style.unit;
    const qreal padY = std::floor(m_style.unit * 0.5);
    std::vector<qreal> widths(columnCount, m_style.unit);
    size_t index = 0;
    for (const auto& row : m_block.rows)
        for (size_t column = 0; column < row.size(); ++column, ++index)
            if (column < columnCount)
                widths[column] = std::max(widths[column],
                    std::ceil(
                        layOutPart(m_parts[index], kUnlimited, Qt::AlignLeft, kProseLineFactor))
                        + 1);

    // Columns that want more than their share give way; none goes below eight grid units.
    const qreal room = width - 2 * padX * qreal(columnCount);
    qreal wanted = 0;
    for (const qreal w : widths)
        wanted += w;
    if (wanted > room && columnCount > 0) {
        const qreal share = std::max(room / qreal(columnCount), m_style.unit * 8);
        qreal small = 0;
        qreal large = 0;
        for (const qreal w : widths)
            (w <= share ? small : large) += w;
        for (qreal& w : widths)
            if (w > share)
                w = std::max(share, std::floor(w * std::max(0.0, room - small) / large));
    }
    m_columnEdges = { 0 };
    for (const qreal w : widths)
        m_columnEdges.push_back(m_columnEdges.back() + w + 2 * padX);

    m_rowEdges = { 0 };
    index = 0;
    for (const auto& row : m_block.rows) {
        qreal rowHeight = 0;
        const qreal top = m_rowEdges.back();
        for (size_t column = 0; column < row.size(); ++column, ++index) {
            const size_t at = std::min(column, columnCount - 1);
            layOutPart(m_parts[index], widths[at], m_block.columns[at], kProseLineFactor);
            m_parts[index].origin = { m_columnEdges[at] + padX, top + padY };
            rowHeight = std::max(rowHeight, m_parts[index].height + 2 * padY);
        }
        m_rowEdges.push_back(top + rowHeight);
    }
    m_contentWidth = m_columnEdges.back();
    m_naturalWidth = left + m_contentWidth;
    m_viewport = QRectF(left, 0, width, m_rowEdges.back());
    m_height = m_viewport.bottom() + (isScrollable() ? m_style.unit * 1.5 : 0);
}

void BlockLayout::setScrollOffset(qreal offset)
{
    m_scrollOffset = std::clamp(offset, 0.0, std::max(0.0, m_contentWidth - m_viewport.width()));
}

QRectF BlockLayout::scrollBar() const
{
    if (!isScrollable())
        return {};
    const qreal thickness = std::max(3.0, m_style.unit * 0.5);
    const qreal length = m_viewport.width() * m_viewport.width() / m_contentWidth;
    const qreal x = m_viewport.left() + m_viewport.width() * m_scrollOffset / m_contentWidth;
    return { x, m_height - thickness - m_style.unit * 0.4, length, thickness };
}

const BlockLayout::Part* BlockLayout::partAt(const QPointF& point) const
{
    if (m_parts.empty())
        return nullptr;
    const Part* nearest = &m_parts.front();
    qreal least = 1e9;
    for (const Part& part : m_parts) {
        const QRectF box(part.origin,
            QSizeF(m_block.kind == BlockKind::Table ? part.layout->boundingRect().width() : 1e6,
                part.height));
        const qreal dx = std::max({ box.left() - point.x(), point.x() - box.right(), 0.0 });
        const qreal dy = std::max({ box.top() - point.y(), point.y() - box.bottom(), 0.0 });
        if (dy * 1000 + dx < least) {
            least = dy * 1000 + dx;
            nearest = &part;
        }
    }
    return nearest;
}

int BlockLayout::positionAt(const QPointF& point) const
{
    const QPointF content = point - contentOffset();
    const Part* part = partAt(content);
    if (!part)
        return 0;
    const QPointF inside = content - part->origin;
    QTextLine found;
    for (int i = 0; i < part->layout->lineCount(); ++i) {
        found = part->layout->lineAt(i);
        if (inside.y() < found.y() + found.height())
            break;
    }
    return part->start + (found.isValid() ? found.xToCursor(inside.x()) : 0);
}

QString BlockLayout::linkAt(const QPointF& point) const
{
    if (!m_viewport.contains(point))
        return {};
    const int position = positionAt(point);
    const QPointF content = point - contentOffset();
    const auto linkIn = [&](const RichText& rich, const Part& part) -> QString {
        const QTextLine line = part.layout->lineForTextPosition(position - part.start);
        const bool onLine = line.isValid()
            && line.naturalTextRect()
                   .translated(part.origin)
                   .adjusted(0, -2, 0, 2)
                   .contains(content);
        for (const TextRun& run : rich.runs)
            if (onLine && !run.link.isEmpty() && position - part.start >= run.start
                && position - part.start <= run.start + run.length)
                return run.link;
        return {};
    };
    if (m_block.kind != BlockKind::Table)
        return m_parts.empty() ? QString() : linkIn(m_block.content, m_parts.front());
    size_t index = 0;
    const Part* hit = partAt(content);
    for (const auto& row : m_block.rows)
        for (const RichText& cell : row)
            if (const Part& part = m_parts[index++]; &part == hit)
                return linkIn(cell, part);
    return {};
}

QRectF BlockLayout::caretAt(int position) const
{
    const qreal width = std::max(2.0, m_style.unit * 0.25);
    const auto after = std::find_if(m_parts.begin(), m_parts.end(),
        [position](const Part& part) { return part.start > position; });
    if (after == m_parts.begin())
        return {};
    const Part& part = *std::prev(after);
    const int inside = std::clamp(position - part.start, 0, int(part.layout->text().size()));
    const QTextLine line = part.layout->lineForTextPosition(inside);
    if (!line.isValid())
        return {};
    const QPointF at = contentOffset() + part.origin + QPointF(line.cursorToX(inside), line.y());
    return { std::min(at.x() + kCaretGap, m_viewport.right() - width), at.y(), width,
        line.height() };
}

TextRange BlockLayout::wordAt(int position) const
{
    const QString all = text();
    QTextBoundaryFinder finder(QTextBoundaryFinder::Word, all);
    finder.setPosition(std::clamp(position, 0, int(all.size())));
    TextRange range { int(finder.position()), int(finder.position()) };
    if (!finder.isAtBoundary() || !(finder.boundaryReasons() & QTextBoundaryFinder::StartOfItem))
        range.start = std::max(0, int(finder.toPreviousBoundary()));
    const qsizetype end = finder.toNextBoundary();
    range.end = end < 0 ? int(all.size()) : int(end);
    return range;
}

} // namespace ui
