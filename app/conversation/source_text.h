#pragma once

#include "app/storage/stored_chat.h"
#include "engine/base/result.h"

#include <QByteArray>
#include <QStringList>

#include <string>
#include <vector>

namespace app {

/// A text that the answers of a chat rest on, as a person gave it. It is never cut or changed: a
/// file's bytes are kept as they are, with its line ends and its byte order mark.
struct SourceText {
    SourceId id = 0;
    QString name; ///< one line
    QByteArray text; ///< UTF-8; copies of it share the bytes
    std::string sha256; ///< of text, hexadecimal: what sha256sum says of the file

    bool operator==(const SourceText&) const = default;
};

// More tokens than the context of any model that runs here.
constexpr qsizetype kLargestSourceBytes = 1024 * 1024;

/// Takes bytes as a source text. Errors, which name the text: BadRequest when it is empty, is not
/// UTF-8 or has more than kLargestSourceBytes.
engine::Result<SourceText> sourceTextOf(const QString& name, const QByteArray& bytes);
/// The same of a file, named after it. Errors: also BadRequest when it is not isSourceFileName, Io
/// when it cannot be read.
engine::Result<SourceText> readSourceFile(const QString& path);
std::vector<engine::Result<SourceText>> readSourceFiles(const QStringList& paths);
/// Whether a file of this name is taken as a source text: .txt, .md, .markdown.
bool isSourceFileName(const QString& path);

/// What stands before a person's text in the prompt, for each source, in this order:
///
///     Source "NAME":
///     ```
///     TEXT
///     ```
///
/// and an empty line. The fence has three backticks, or one more than the longest row of them in
/// TEXT, so that where a text ends is never in doubt. TEXT is followed by one line feed, always.
std::string sourceBlock(const SourceText& source);
/// All of them; "" without any.
std::string sourceBlocks(const std::vector<SourceText>& sources);
/// Where the bytes of TEXT begin in sourceBlock.
size_t textOffsetInBlock(const SourceText& source);

} // namespace app
