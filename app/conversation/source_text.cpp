#include "app/conversation/source_text.h"

#include "app/runs/run_record.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStringDecoder>

#include <algorithm>

namespace app {

namespace {
    struct Tr {
        Q_DECLARE_TR_FUNCTIONS(SourceText)
    };

    engine::Error refused(const QString& words)
    {
        return engine::Error::badRequest(words.toStdString());
    }

    engine::Error tooLarge(const QString& name, qint64 byteCount)
    {
        const QLocale locale;
        return refused(Tr::tr("%1 was not added: it has %2 bytes, and a source text may have at "
                              "most %3. Nothing of it is used, since nothing is cut silently.")
                           .arg(name, locale.toString(byteCount),
                               locale.toString(qint64(kLargestSourceBytes))));
    }

    bool isUtf8(const QByteArray& bytes)
    {
        using Flag = QStringDecoder::Flag;
        QStringDecoder decoder(QStringDecoder::Utf8, Flag::Stateless | Flag::ConvertInitialBom);
        const QString text = decoder(bytes);
        return !decoder.hasError();
    }

    QString lineOf(const QString& name)
    {
        QString line = name;
        for (QChar& sign : line)
            if (sign.category() == QChar::Other_Control)
                sign = u' ';
        return line.simplified().replace(u'"', u'\'');
    }

    std::string fenceFor(const QByteArray& text)
    {
        size_t longest = 2;
        size_t row = 0;
        for (const char sign : text) {
            row = sign == '`' ? row + 1 : 0;
            longest = std::max(longest, row);
        }
        return std::string(longest + 1, '`');
    }

    std::string blockStart(const SourceText& source)
    {
        return "Source \"" + source.name.toStdString() + "\":\n" + fenceFor(source.text) + "\n";
    }
}

engine::Result<SourceText> sourceTextOf(const QString& name, const QByteArray& bytes)
{
    SourceText source;
    source.name = lineOf(name);
    if (source.name.isEmpty())
        source.name = Tr::tr("Pasted text");
    if (bytes.size() > kLargestSourceBytes)
        return tooLarge(source.name, bytes.size());
    if (bytes.isEmpty())
        return refused(Tr::tr("%1 was not added: it is empty.").arg(source.name));
    if (!isUtf8(bytes))
        return refused(Tr::tr("%1 was not added: it is not UTF-8 text. Save it as UTF-8 and add "
                              "it again.")
                           .arg(source.name));
    source.text = bytes;
    source.sha256 = sha256Hex(bytes.toStdString());
    return source;
}

engine::Result<SourceText> readSourceFile(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    if (!isSourceFileName(path))
        return refused(
            Tr::tr("%1 was not added: only .txt and .md files are taken as source texts.")
                .arg(name));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return engine::Error::io(
            Tr::tr("%1 was not added: %2").arg(name, file.errorString()).toStdString());
    if (file.size() > kLargestSourceBytes)
        return tooLarge(name, file.size());
    // One byte more: a file may grow, and not every file knows its size.
    const QByteArray bytes = file.read(kLargestSourceBytes + 1);
    if (file.error() != QFileDevice::NoError)
        return engine::Error::io(
            Tr::tr("%1 was not added: %2").arg(name, file.errorString()).toStdString());
    return sourceTextOf(name, bytes);
}

std::vector<engine::Result<SourceText>> readSourceFiles(const QStringList& paths)
{
    std::vector<engine::Result<SourceText>> read;
    for (const QString& path : paths)
        read.push_back(readSourceFile(path));
    return read;
}

bool isSourceFileName(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QStringLiteral("txt") || suffix == QStringLiteral("md")
        || suffix == QStringLiteral("markdown");
}

std::string sourceBlock(const SourceText& source)
{
    return blockStart(source) + source.text.toStdString() + "\n" + fenceFor(source.text) + "\n\n";
}

std::string sourceBlocks(const std::vector<SourceText>& sources)
{
    std::string blocks;
    for (const SourceText& source : sources)
        blocks += sourceBlock(source);
    return blocks;
}

size_t textOffsetInBlock(const SourceText& source) { return blockStart(source).size(); }

} // namespace app
