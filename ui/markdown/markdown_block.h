#pragma once

#include <QString>

#include <vector>

namespace ui {

/// A stretch of text that looks different from its neighbours.
struct TextRun {
    enum Style { Bold = 1, Italic = 2, Code = 4, Strike = 8 };

    int start = 0;
    int length = 0;
    int styles = 0; ///< any of Style
    QString link; ///< target, "" = no link

    bool operator==(const TextRun&) const = default;
};

/// Text with runs; unstyled stretches have no run. Lines are divided by '\n'.
struct RichText {
    QString text;
    std::vector<TextRun> runs;

    bool operator==(const RichText&) const = default;
};

enum class BlockKind { Plain, Paragraph, Heading, Code, Table, Rule };

/// What a block stands inside of: a quotation or a list item.
struct BlockContainer {
    enum class Kind { Quote, Item };

    Kind kind = Kind::Quote;
    QString marker; ///< of an item, on its first block only: "•", "3.", "☐"

    bool operator==(const BlockContainer&) const = default;
};

/// One block of an answer: a value that a layout can be made from. Plain is text as it was typed.
struct MarkdownBlock {
    BlockKind kind = BlockKind::Paragraph;
    std::vector<BlockContainer> containers; ///< outermost first
    bool tight = false; ///< stands close to the block before it (items of a tight list)
    RichText content; ///< Plain, Paragraph, Heading, Code
    int headingLevel = 0; ///< 1 to 6
    QString language; ///< Code: as the fence names it
    std::vector<Qt::Alignment> columns; ///< Table
    std::vector<std::vector<RichText>> rows; ///< Table: [row][column]; row 0 is the head

    bool operator==(const MarkdownBlock&) const = default;
};

} // namespace ui
