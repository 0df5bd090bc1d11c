#pragma once

#include "ui/markdown/markdown_block.h"

#include <md4c.h>

#include <optional>
#include <string_view>

namespace ui {

/// Where a top-level block starts, as far as the parser's calls tell.
struct TopLevelBlock {
    enum class Kind { Text, Fence, Other };

    Kind kind = Kind::Other;
    size_t firstBlock = 0; ///< index of its first MarkdownBlock
    std::optional<size_t>
        firstTextOffset; ///< in the parsed text; none when its first text is not from there
};

/// A piece of parsed text that was shown as it stands.
struct MarkdownSpan {
    size_t block = 0;
    std::optional<size_t> cell; ///< of a table, counted row by row; position is inside it
    int position = 0; ///< UTF-16 units
    size_t offset = 0; ///< in the parsed text, bytes
    size_t size = 0;
};

/// Turns md4c's calls into blocks. Static members are the parser's callbacks; userdata = this.
class MarkdownBuilder {
public:
    explicit MarkdownBuilder(std::string_view parsedText)
        : m_parsedText(parsedText)
    {
    }

    /// Parses the text; false when the parser gave up.
    bool parse();
    /// Notes from now on where each piece of text is shown.
    void keepSpans() { m_keepsSpans = true; }
    const std::vector<MarkdownSpan>& spans() const { return m_spans; }
    std::vector<MarkdownBlock> takeBlocks() { return std::move(m_blocks); }
    const std::vector<TopLevelBlock>& topLevelBlocks() const { return m_topLevel; }

private:
    static int enterBlock(MD_BLOCKTYPE type, void* detail, void* self);
    static int leaveBlock(MD_BLOCKTYPE type, void* detail, void* self);
    static int enterSpan(MD_SPANTYPE type, void* detail, void* self);
    static int leaveSpan(MD_SPANTYPE type, void* detail, void* self);
    static int addText(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self);

    struct List {
        bool ordered = false;
        bool tight = false;
        unsigned number = 0;
        QChar delimiter = QLatin1Char('.');
        bool hasItems = false;
    };

    void enter(MD_BLOCKTYPE type, const void* detail);
    void leave(MD_BLOCKTYPE type);
    void enterItem(const MD_BLOCK_LI_DETAIL& item);
    void leaveItem();
    void enterStyle(MD_SPANTYPE type, const void* detail);
    void leaveStyle(MD_SPANTYPE type);
    void add(MD_TEXTTYPE type, std::string_view text);
    void append(const QString& text);
    void addCode(std::string_view text);
    bool isFromSource(const char* text) const;
    void noteTopLevel(MD_BLOCKTYPE type, const void* detail);
    void noteText(const char* text);
    /// This piece was the last thing appended, as a text of this length.
    void noteSpan(std::string_view text, qsizetype shownLength);
    MarkdownBlock& openLeaf(BlockKind kind);
    void closeLeaf();
    void flattenLargeTable();
    RichText& target();

    std::string_view m_parsedText;
    std::vector<MarkdownBlock> m_blocks;
    std::vector<TopLevelBlock> m_topLevel;
    bool m_keepsSpans = false;
    std::vector<MarkdownSpan> m_spans;
    bool m_awaitsFirstText = false;
    int m_depth = 0; ///< of blocks, the document excluded
    std::vector<BlockContainer> m_containers;
    std::vector<List> m_lists;
    bool m_leafOpen = false;
    bool m_cellOpen = false;
    QString m_indent; ///< of a code line, as the parser writes it
    int m_bold = 0;
    int m_italic = 0;
    int m_code = 0;
    int m_strike = 0;
    std::vector<QString> m_links;
    std::vector<QString> m_images;
};

} // namespace ui
