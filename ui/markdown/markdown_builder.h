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

/// Turns md4c's calls into blocks. Static members are the parser's callbacks; userdata = this.
class MarkdownBuilder {
public:
    explicit MarkdownBuilder(std::string_view parsedText)
        : m_parsedText(parsedText)
    {
    }

    static int enterBlock(MD_BLOCKTYPE type, void* detail, void* self);
    static int leaveBlock(MD_BLOCKTYPE type, void* detail, void* self);
    static int enterSpan(MD_SPANTYPE type, void* detail, void* self);
    static int leaveSpan(MD_SPANTYPE type, void* detail, void* self);
    static int addText(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self);

    std::vector<MarkdownBlock> takeBlocks() { return std::move(m_blocks); }
    const std::vector<TopLevelBlock>& topLevelBlocks() const { return m_topLevel; }

private:
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
    MarkdownBlock& openLeaf(BlockKind kind);
    void closeLeaf();
    void flattenLargeTable();
    RichText& target();

    std::string_view m_parsedText;
    std::vector<MarkdownBlock> m_blocks;
    std::vector<TopLevelBlock> m_topLevel;
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
