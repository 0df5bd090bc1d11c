#include "ui/chat/held_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <string_view>

namespace ui {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("HeldText", text); }
    QString number(size_t value) { return QLocale().toString(qulonglong(value)); }

    /// "⟨F0 9F⟩": lone bytes are never drawn as a broken character.
    QString bytesAsDigits(std::string_view bytes)
    {
        const QByteArray digits = QByteArray(bytes.data(), qsizetype(bytes.size())).toHex(' ');
        return QString::fromUtf8("⟨") + QString::fromLatin1(digits.toUpper())
            + QString::fromUtf8("⟩");
    }

    /// The last bytes of all tokens; fewer where a draft before this run holds the rest.
    std::string lastTokenBytes(const app::Draft& draft, size_t count)
    {
        std::string bytes;
        const auto& records = draft.records();
        for (auto record = records.rbegin(); record != records.rend() && bytes.size() < count;
             ++record)
            bytes.insert(0, record->bytes);
        return bytes.substr(bytes.size() - std::min(count, bytes.size()));
    }

    QString characterWords(size_t byteCount, bool hasEnded)
    {
        if (hasEnded)
            return byteCount == 1
                ? tr("1 byte of an unfinished character")
                : tr("%1 bytes of an unfinished character").arg(number(byteCount));
        return byteCount == 1
            ? tr("1 byte of an unfinished character held back")
            : tr("%1 bytes of an unfinished character held back").arg(number(byteCount));
    }
}

QString visibleText(const std::string& utf8)
{
    QString text = QString::fromStdString(utf8);
    if (text.toStdString() != utf8)
        return bytesAsDigits(utf8); // a token that is only a part of a character
    text.replace(QLatin1Char('\n'), QString::fromUtf8("⏎"));
    return text.replace(QLatin1Char('\t'), QString::fromUtf8("⇥"));
}

HeldText heldText(const app::Draft& draft)
{
    HeldText held;
    QStringList reasons;
    if (!draft.heldText().empty()) {
        held.shown = visibleText(draft.heldText());
        reasons.append(tr("%1 of %2 bytes of ‘%3’ held back")
                           .arg(number(draft.heldText().size()), number(draft.heldFor().size()),
                               visibleText(draft.heldFor())));
    }
    const std::string bytes = draft.ending()
        ? draft.ending()->waitingBytes
        : lastTokenBytes(draft, size_t(std::max(0, draft.waitingBytes())));
    const size_t byteCount
        = draft.ending() ? bytes.size() : size_t(std::max(0, draft.waitingBytes()));
    if (byteCount > 0) {
        held.shown += bytesAsDigits(bytes);
        reasons.append(characterWords(byteCount, draft.ending().has_value()));
    }
    held.words = reasons.join(QStringLiteral(" · "));
    return held;
}

} // namespace ui
