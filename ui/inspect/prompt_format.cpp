#include "ui/inspect/prompt_format.h"

#include "ui/inspect/prompt_words.h"
#include "ui/inspect/token_colours.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QPlainTextEdit>
#include <QTextCursor>

namespace ui {

namespace {
    using app::PromptCache;
    using app::PromptKind;

    struct FormatWords {
        Q_DECLARE_TR_FUNCTIONS(PromptFormat)
    };

    class PromptWriter {
    public:
        PromptWriter(QPlainTextEdit& edit, bool showsCache)
            : m_palette(edit.palette())
            , m_showsCache(showsCache)
            , m_cursor(edit.document())
        {
            edit.clear();
            m_cursor.beginEditBlock();
        }
        ~PromptWriter() { m_cursor.endEditBlock(); }

        void write(const QString& text, const app::PromptSpan& span)
        {
            m_cursor.insertText(text, promptFormat(span, m_showsCache, m_palette));
        }
        void writeHeading(const QString& words)
        {
            QTextCharFormat format;
            format.setFontWeight(QFont::Bold);
            format.setForeground(Theme::of(m_palette).mutedText);
            m_cursor.insertText(words, format);
        }

    private:
        QPalette m_palette;
        bool m_showsCache;
        QTextCursor m_cursor;
    };

    app::PromptSpan spanOf(const app::PromptToken& token)
    {
        return { token.kind, token.cache, token.source, token.origin, token.message, {} };
    }

    QString textOf(const app::PromptView& view, const app::PromptSpan& span)
    {
        return QString::fromUtf8(view.text.data() + span.bytes.start,
            qsizetype(span.bytes.end - span.bytes.start));
    }

    bool isOfOneMessage(const app::PromptSpan& a, const app::PromptSpan& b)
    {
        return a.message == b.message && a.origin == b.origin
            && (a.kind == PromptKind::Begun) == (b.kind == PromptKind::Begun);
    }

    bool isMessage(const app::PromptSpan& span)
    {
        return span.kind == PromptKind::Begun
            || (span.origin != app::PromptOrigin::Template && span.kind != PromptKind::Control);
    }

    QString headingOf(const app::PromptSpan& span)
    {
        const QString words = spanWords(span.kind, span.origin, PromptCache::Unknown);
        return span.message < 0 || span.kind == PromptKind::Begun
            ? words
            : FormatWords::tr("%L1 · %2").arg(span.message + 1).arg(words);
    }
}

QTextCharFormat promptFormat(const app::PromptSpan& span, bool showsCache, const QPalette& palette)
{
    const Theme theme = Theme::of(palette);
    QTextCharFormat format;
    format.setForeground(theme.text);
    format.setProperty(kSpanWords, spanWords(span.kind, span.origin, span.cache));
    if (span.kind != PromptKind::Begun)
        if (const auto share = originShare(span.origin))
            format.setBackground(TokenColours(palette, TokenMeasure::Source).colour(*share));
    if (span.kind == PromptKind::Control)
        format.setFontWeight(QFont::Bold);
    format.setFontItalic(span.source >= 0);
    if (!showsCache || span.cache == PromptCache::Unknown)
        return format;
    const bool isReused = span.cache == PromptCache::Reused;
    format.setUnderlineStyle(
        isReused ? QTextCharFormat::DashUnderline : QTextCharFormat::SingleUnderline);
    format.setUnderlineColor(isReused ? theme.mutedText : theme.accent);
    return format;
}

void writePromptText(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache)
{
    PromptWriter writer(edit, showsCache);
    for (const app::PromptSpan& span : view.spans)
        writer.write(textOf(view, span), span);
}

void writePromptIds(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache)
{
    PromptWriter writer(edit, showsCache);
    const auto& tokens = view.tokens;
    for (size_t i = 0; i < tokens.size();) {
        const app::PromptSpan first = spanOf(tokens[i]);
        QString ids;
        for (; i < tokens.size() && spanOf(tokens[i]) == first; ++i) {
            ids += QString::number(tokens[i].id);
            if (i + 1 < tokens.size())
                ids += QStringLiteral(", ");
        }
        writer.write(ids, first);
    }
}

void writePromptMessages(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache)
{
    PromptWriter writer(edit, showsCache);
    const app::PromptSpan* before = nullptr;
    for (const app::PromptSpan& span : view.spans) {
        if (!isMessage(span))
            continue;
        if (!before || !isOfOneMessage(*before, span)) {
            writer.writeHeading((before ? QStringLiteral("\n\n") : QString()) + headingOf(span)
                + QLatin1Char('\n'));
        }
        writer.write(textOf(view, span), span);
        before = &span;
    }
}

} // namespace ui
