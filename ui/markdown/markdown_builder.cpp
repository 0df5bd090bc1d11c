#include "ui/markdown/markdown_builder.h"

#include "ui/markdown/definition_guard.h"
#include "ui/markdown/markdown_reader.h"

#include <QStringList>

#include <algorithm>
#include <functional>

namespace ui {

namespace {
    QString fromUtf8(std::string_view text)
    {
        return QString::fromUtf8(text.data(), qsizetype(text.size()));
    }

    QString fromAttribute(const MD_ATTRIBUTE& attribute)
    {
        QString text = fromUtf8({ attribute.text, attribute.size });
        return text.remove(QChar(0xFDD0));
    }

    Qt::Alignment alignmentOf(MD_ALIGN align)
    {
        switch (align) {
        case MD_ALIGN_CENTER:
            return Qt::AlignHCenter;
        case MD_ALIGN_RIGHT:
            return Qt::AlignRight;
        default:
            return Qt::AlignLeft;
        }
    }

    bool isLeaf(MD_BLOCKTYPE type)
    {
        return type == MD_BLOCK_P || type == MD_BLOCK_H || type == MD_BLOCK_CODE
            || type == MD_BLOCK_TABLE || type == MD_BLOCK_HR;
    }
}

bool MarkdownBuilder::parse()
{
    MD_PARSER parser {};
    parser.flags = MD_DIALECT_GITHUB | MD_FLAG_NOHTML;
    parser.enter_block = &MarkdownBuilder::enterBlock;
    parser.leave_block = &MarkdownBuilder::leaveBlock;
    parser.enter_span = &MarkdownBuilder::enterSpan;
    parser.leave_span = &MarkdownBuilder::leaveSpan;
    parser.text = &MarkdownBuilder::addText;
    return md_parse(m_parsedText.data(), MD_SIZE(m_parsedText.size()), &parser, this) == 0;
}

int MarkdownBuilder::enterBlock(MD_BLOCKTYPE type, void* detail, void* self)
{
    static_cast<MarkdownBuilder*>(self)->enter(type, detail);
    return 0;
}

int MarkdownBuilder::leaveBlock(MD_BLOCKTYPE type, void*, void* self)
{
    static_cast<MarkdownBuilder*>(self)->leave(type);
    return 0;
}

int MarkdownBuilder::enterSpan(MD_SPANTYPE type, void* detail, void* self)
{
    static_cast<MarkdownBuilder*>(self)->enterStyle(type, detail);
    return 0;
}

int MarkdownBuilder::leaveSpan(MD_SPANTYPE type, void*, void* self)
{
    static_cast<MarkdownBuilder*>(self)->leaveStyle(type);
    return 0;
}

int MarkdownBuilder::addText(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self)
{
    static_cast<MarkdownBuilder*>(self)->add(type, { text, size });
    return 0;
}

MarkdownBlock& MarkdownBuilder::openLeaf(BlockKind kind)
{
    closeLeaf();
    MarkdownBlock block;
    block.kind = kind;
    const size_t depth = std::min(m_containers.size(), kDeepestNesting);
    block.containers.assign(m_containers.begin(), m_containers.begin() + long(depth));
    block.tight = !m_lists.empty() && m_lists.back().tight;
    // The markers belong to the first block of an item.
    for (BlockContainer& container : m_containers)
        container.marker.clear();
    m_blocks.push_back(std::move(block));
    m_leafOpen = true;
    return m_blocks.back();
}

void MarkdownBuilder::closeLeaf()
{
    if (!m_leafOpen)
        return;
    m_leafOpen = false;
    MarkdownBlock& block = m_blocks.back();
    if (block.kind != BlockKind::Code)
        return;
    if (block.content.text.endsWith(QLatin1Char('\n')))
        block.content.text.chop(1);
    block.content.text = withoutBidiControls(block.content.text);
}

void MarkdownBuilder::noteTopLevel(MD_BLOCKTYPE type, const void* detail)
{
    TopLevelBlock block;
    block.firstBlock = m_blocks.size();
    if (type == MD_BLOCK_P || type == MD_BLOCK_H)
        block.kind = TopLevelBlock::Kind::Text;
    else if (type == MD_BLOCK_CODE && static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)->fence_char)
        block.kind = TopLevelBlock::Kind::Fence;
    m_topLevel.push_back(block);
    m_awaitsFirstText = block.kind != TopLevelBlock::Kind::Other;
}

void MarkdownBuilder::noteText(const char* text)
{
    if (!m_awaitsFirstText)
        return;
    m_awaitsFirstText = false;
    if (isFromSource(text))
        m_topLevel.back().firstTextOffset = size_t(text - m_parsedText.data());
}

bool MarkdownBuilder::isFromSource(const char* text) const
{
    const std::less_equal<const char*> notAfter;
    return notAfter(m_parsedText.data(), text)
        && notAfter(text, m_parsedText.data() + m_parsedText.size());
}

void MarkdownBuilder::enter(MD_BLOCKTYPE type, const void* detail)
{
    if (type == MD_BLOCK_DOC)
        return;
    if (m_depth++ == 0)
        noteTopLevel(type, detail);
    if (type == MD_BLOCK_QUOTE || type == MD_BLOCK_UL || type == MD_BLOCK_OL)
        closeLeaf();
    switch (type) {
    case MD_BLOCK_QUOTE:
        m_containers.push_back({ BlockContainer::Kind::Quote, {} });
        break;
    case MD_BLOCK_UL:
        m_lists.push_back(
            { .tight = static_cast<const MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0 });
        break;
    case MD_BLOCK_OL: {
        const auto* list = static_cast<const MD_BLOCK_OL_DETAIL*>(detail);
        m_lists.push_back(
            { true, list->is_tight != 0, list->start, QLatin1Char(list->mark_delimiter) });
        break;
    }
    case MD_BLOCK_LI:
        enterItem(*static_cast<const MD_BLOCK_LI_DETAIL*>(detail));
        break;
    case MD_BLOCK_P:
        openLeaf(BlockKind::Paragraph);
        break;
    case MD_BLOCK_H:
        openLeaf(BlockKind::Heading).headingLevel
            = int(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
    case MD_BLOCK_CODE:
        openLeaf(BlockKind::Code).language
            = fromAttribute(static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)->lang);
        break;
    case MD_BLOCK_HR:
        openLeaf(BlockKind::Rule);
        break;
    case MD_BLOCK_TABLE:
        openLeaf(BlockKind::Table);
        break;
    case MD_BLOCK_TR:
        m_blocks.back().rows.emplace_back();
        break;
    case MD_BLOCK_TH:
        m_blocks.back().columns.push_back(
            alignmentOf(static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align));
        [[fallthrough]];
    case MD_BLOCK_TD:
        m_blocks.back().rows.back().emplace_back();
        m_cellOpen = true;
        break;
    default:
        break;
    }
}

void MarkdownBuilder::leave(MD_BLOCKTYPE type)
{
    if (type == MD_BLOCK_DOC)
        return;
    --m_depth;
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
        m_cellOpen = false;
    if (type == MD_BLOCK_TABLE)
        flattenLargeTable();
    if (isLeaf(type))
        closeLeaf();
    if (type == MD_BLOCK_QUOTE) {
        closeLeaf();
        m_containers.pop_back();
    } else if (type == MD_BLOCK_LI) {
        leaveItem();
    } else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
        m_lists.pop_back();
    }
    if (m_depth == 0)
        m_awaitsFirstText = false;
}

void MarkdownBuilder::enterItem(const MD_BLOCK_LI_DETAIL& item)
{
    List& list = m_lists.back();
    QString marker = QStringLiteral("\u2022");
    if (item.is_task)
        marker = item.task_mark == ' ' ? QStringLiteral("\u2610") : QStringLiteral("\u2611");
    else if (list.ordered)
        marker = QString::number(list.number++) + list.delimiter;
    m_containers.push_back({ BlockContainer::Kind::Item, marker });
}

void MarkdownBuilder::leaveItem()
{
    if (!m_containers.back().marker.isEmpty())
        openLeaf(BlockKind::Paragraph); // an empty item shows its marker
    closeLeaf();
    m_containers.pop_back();
}

void MarkdownBuilder::enterStyle(MD_SPANTYPE type, const void* detail)
{
    switch (type) {
    case MD_SPAN_STRONG:
        ++m_bold;
        break;
    case MD_SPAN_EM:
        ++m_italic;
        break;
    case MD_SPAN_CODE:
        ++m_code;
        break;
    case MD_SPAN_DEL:
        ++m_strike;
        break;
    case MD_SPAN_A:
        m_links.push_back(fromAttribute(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href));
        break;
    case MD_SPAN_IMG:
        m_images.push_back(fromAttribute(static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src));
        m_awaitsFirstText = false; // its "![" is not where the text lies
        append(QStringLiteral("!["));
        break;
    default:
        break;
    }
}

void MarkdownBuilder::leaveStyle(MD_SPANTYPE type)
{
    switch (type) {
    case MD_SPAN_STRONG:
        --m_bold;
        break;
    case MD_SPAN_EM:
        --m_italic;
        break;
    case MD_SPAN_CODE:
        --m_code;
        break;
    case MD_SPAN_DEL:
        --m_strike;
        break;
    case MD_SPAN_A:
        m_links.pop_back();
        break;
    case MD_SPAN_IMG:
        append(QStringLiteral("](") + m_images.back() + QLatin1Char(')'));
        m_images.pop_back();
        break;
    default:
        break;
    }
}

void MarkdownBuilder::add(MD_TEXTTYPE type, std::string_view text)
{
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
        m_awaitsFirstText = false;
        append(QStringLiteral("\n"));
        return;
    }
    noteText(text.data());
    if (type == MD_TEXT_NULLCHAR) {
        append(QString(QChar(QChar::ReplacementCharacter)));
        return;
    }
    if (m_leafOpen && m_blocks.back().kind == BlockKind::Code)
        return addCode(text);
    // Entities arrive as they were written ("&amp;") and stay so.
    QString shown = fromUtf8(text).remove(QChar(0xFDD0));
    if (!m_links.empty())
        shown = withoutBidiControls(shown);
    append(shown);
    noteSpan(text, shown.size());
}

void MarkdownBuilder::noteSpan(std::string_view text, qsizetype shownLength)
{
    if (!m_keepsSpans || !isFromSource(text.data()) || shownLength == 0)
        return;
    MarkdownSpan span { .block = m_blocks.size() - 1,
        .offset = size_t(text.data() - m_parsedText.data()),
        .size = text.size() };
    if (m_cellOpen) {
        const MarkdownBlock& table = m_blocks.back();
        span.cell = (table.rows.size() - 1) * table.columns.size() + table.rows.back().size() - 1;
    }
    span.position = int(target().text.size() - shownLength);
    m_spans.push_back(span);
}

void MarkdownBuilder::addCode(std::string_view text)
{
    // The parser writes a line's indentation as spaces of its own; tabs are put back.
    if (!isFromSource(text.data()) && text.find_first_not_of(' ') == std::string_view::npos) {
        m_indent += fromUtf8(text);
        return;
    }
    if (m_containers.empty() && isFromSource(text.data())) {
        const size_t offset = size_t(text.data() - m_parsedText.data());
        const size_t newline
            = offset == 0 ? m_parsedText.npos : m_parsedText.rfind('\n', offset - 1);
        const size_t lineStart = newline == m_parsedText.npos ? 0 : newline + 1;
        const std::string_view before = m_parsedText.substr(lineStart, offset - lineStart);
        if (before.find('\t') != before.npos && before.find_first_not_of(" \t") == before.npos)
            m_indent = fromUtf8(before);
    }
    const QString shown = fromUtf8(text).remove(QChar(0xFDD0));
    append(std::exchange(m_indent, {}) + shown);
    noteSpan(text, shown.size());
}

RichText& MarkdownBuilder::target()
{
    if (m_cellOpen)
        return m_blocks.back().rows.back().back();
    // Items of a tight list have no paragraph of their own.
    if (!m_leafOpen)
        openLeaf(BlockKind::Paragraph);
    return m_blocks.back().content;
}

void MarkdownBuilder::append(const QString& text)
{
    if (text.isEmpty())
        return;
    RichText& rich = target();
    const int start = int(rich.text.size());
    rich.text += text;
    const int styles = (m_bold > 0 ? TextRun::Bold : 0) | (m_italic > 0 ? TextRun::Italic : 0)
        | (m_code > 0 ? TextRun::Code : 0) | (m_strike > 0 ? TextRun::Strike : 0);
    const QString link = m_links.empty() ? QString() : m_links.back();
    if (styles == 0 && link.isEmpty())
        return;
    if (!rich.runs.empty()) {
        TextRun& last = rich.runs.back();
        if (last.start + last.length == start && last.styles == styles && last.link == link) {
            last.length += int(text.size());
            return;
        }
    }
    rich.runs.push_back({ start, int(text.size()), styles, link });
}

void MarkdownBuilder::flattenLargeTable()
{
    MarkdownBlock& table = m_blocks.back();
    if (table.rows.size() <= kMostTableRows && table.columns.size() <= kMostTableColumns)
        return;
    QStringList lines;
    for (const auto& row : table.rows) {
        QStringList cells;
        for (const RichText& cell : row)
            cells.append(cell.text);
        lines.append(cells.join(QStringLiteral(" | ")));
    }
    table.kind = BlockKind::Plain;
    table.content.text = lines.join(QLatin1Char('\n'));
    table.rows.clear();
    table.columns.clear();
}

} // namespace ui
