#include "app/cli/token_file.h"

#include <QFile>
#include <QSaveFile>

namespace app {

using engine::Error;
using engine::Result;

namespace {
    QString nativeName(const std::string& path)
    {
        return QFile::decodeName(QByteArray::fromStdString(path));
    }

    Result<void> write(const std::string& path, const std::string& text)
    {
        QSaveFile file(nativeName(path));
        if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0
            || !file.commit())
            return Error::io("the token table cannot be written to " + path + ": "
                + file.errorString().toStdString());
        return {};
    }
}

Result<void> TokenFile::checkName(const std::string& path)
{
    if (path.ends_with(".csv") || path.ends_with(".json"))
        return {};
    return Error::badRequest(
        "--tokens needs a file name that ends in .csv or .json; it was given \"" + path + "\"");
}

Result<TokenFile> TokenFile::open(std::string path, const engine::TokenIds& promptIds,
    std::shared_ptr<const engine::ModelText> text)
{
    TokenFile file(std::move(path), std::move(text));
    for (const engine::TokenId id : promptIds) {
        file.m_tokens.push_back(file.describe(id));
        file.m_tokens.back().position = int(file.m_tokens.size()) - 1;
    }
    TRY(file.close()); // the prompt alone, so that a wrong place is known before the run
    return file;
}

TokenFile::TokenFile(std::string path, std::shared_ptr<const engine::ModelText> text)
    : m_path(std::move(path))
    , m_text(std::move(text))
{
}

TableToken TokenFile::describe(engine::TokenId id) const
{
    TableToken token;
    token.id = id;
    if (!m_text->tokenizer || !m_text->tokenizer->vocabulary().contains(id))
        return token;
    token.bytes = m_text->tokenizer->pieceBytes(id);
    if (token.bytes.empty())
        token.controlText = m_text->tokenizer->pieceText(id);
    return token;
}

void TokenFile::apply(const engine::GenerationEvent& event)
{
    const auto* decoded = std::get_if<engine::TokenDecoded>(&event);
    if (!decoded)
        return;
    TableToken token = describe(decoded->record.id);
    token.bytes = decoded->record.bytes;
    token.place = "answer";
    token.source = decoded->record.source;
    token.position = decoded->record.position;
    token.record = decoded->record;
    m_tokens.push_back(std::move(token));
}

Result<void> TokenFile::close() const
{
    return write(
        m_path, m_path.ends_with(".csv") ? tokenTableCsv(m_tokens) : tokenTableJson(m_tokens));
}

} // namespace app
