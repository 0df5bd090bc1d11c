#include "ui/inspect/chip_text.h"

#include <QList>
#include <QStringDecoder>

namespace ui {

namespace {
    /// The length of the whole UTF-8 character that starts here; 0 where none does.
    size_t characterLength(std::string_view bytes)
    {
        const auto first = uint8_t(bytes.front());
        if (first < 0x80)
            return 1;
        const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
        if (length > bytes.size() || first < 0xC2)
            return 0;
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        const QString decoded = decoder(QByteArrayView(bytes.data(), qsizetype(length)));
        return decoder.hasError() || decoded.contains(QChar::ReplacementCharacter) ? 0 : length;
    }

    QString hexMark(const QString& prefix, uint value, int digits)
    {
        return QStringLiteral("⟨%1%2⟩").arg(
            prefix, QString::number(value, 16).toUpper().rightJustified(digits, QLatin1Char('0')));
    }

    /// What stands for a character that cannot be seen; "" where it can.
    QString markOf(char32_t character)
    {
        if (character == U' ')
            return QStringLiteral("·");
        if (character == U'\n' || character == U'\r')
            return QStringLiteral("⏎");
        if (character == U'\t')
            return QStringLiteral("⇥");
        if (character < 0x20 || character == 0x7F)
            return hexMark({}, uint(character), 2);
        const QChar::Category category = QChar::category(character);
        const bool isUnseen = category == QChar::Other_Format || category == QChar::Other_Control
            || category == QChar::Separator_Line || category == QChar::Separator_Paragraph
            || category == QChar::Separator_Space || category == QChar::Other_NotAssigned
            || category == QChar::Other_PrivateUse;
        return isUnseen ? hexMark(QStringLiteral("U+"), uint(character), 4) : QString();
    }

    void add(std::vector<ChipRun>& runs, const QString& text, bool isMark)
    {
        if (runs.empty() || runs.back().isMark != isMark)
            runs.push_back({ text, isMark });
        else
            runs.back().text += text;
    }

    std::vector<ChipRun> runsOf(std::string_view bytes)
    {
        std::vector<ChipRun> runs;
        for (size_t at = 0; at < bytes.size();) {
            const size_t length = characterLength(bytes.substr(at));
            if (length == 0) {
                add(runs, hexMark({}, uint8_t(bytes[at]), 2), true);
                ++at;
                continue;
            }
            const QString character = QString::fromUtf8(bytes.data() + at, qsizetype(length));
            const QString mark = markOf(character.toUcs4().front());
            add(runs, mark.isEmpty() ? character : mark, !mark.isEmpty());
            at += length;
        }
        return runs;
    }

    QString nameOf(const app::TrackToken& token)
    {
        return token.controlText.empty() ? QStringLiteral("#%1").arg(token.id)
                                         : QString::fromStdString(token.controlText);
    }
}

QString ChipText::text() const
{
    QString all;
    for (const ChipRun& run : runs)
        all += run.text;
    return all;
}

ChipText chipText(const app::TrackToken& token)
{
    ChipText chip;
    if (token.bytes.empty()) {
        chip.isControl = !token.controlText.empty();
        chip.runs = { { nameOf(token), !chip.isControl } };
        return chip;
    }
    chip.runs = runsOf(token.bytes);
    chip.endsLine = token.bytes.find('\n') != std::string::npos;
    return chip;
}

QString spokenPiece(const app::TrackToken& token)
{
    if (token.bytes.empty())
        return nameOf(token);
    QString spoken;
    for (const ChipRun& run : runsOf(token.bytes))
        spoken += run.isMark ? QString(run.text).replace(QStringLiteral("·"), QStringLiteral(" "))
                             : run.text;
    return spoken;
}

} // namespace ui
