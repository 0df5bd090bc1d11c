#include "ui/inspect/prompt_format.h"

#include "ui/theme/theme.h"

#include <QPlainTextEdit>
#include <QTextCursor>

namespace ui {

namespace {
    using app::PromptCache;
    using app::PromptKind;

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

        void write(const QString& text, PromptKind kind, PromptCache cache, bool isSource)
        {
            m_cursor.insertText(text,
                promptFormat(
                    kind, m_showsCache ? cache : PromptCache::Unknown, isSource, m_palette));
        }

    private:
        QPalette m_palette;
        bool m_showsCache;
        QTextCursor m_cursor;
    };

    bool looksAlike(const app::PromptToken& a, const app::PromptToken& b)
    {
        return a.kind == b.kind && a.cache == b.cache && a.source == b.source;
    }
}

QTextCharFormat promptFormat(
    PromptKind kind, PromptCache cache, bool isSource, const QPalette& palette)
{
    const Theme theme = Theme::of(palette);
    QTextCharFormat format;
    format.setForeground(theme.text);
    if (kind == PromptKind::Control) {
        format.setFontWeight(QFont::Bold);
        format.setForeground(theme.accent);
    }
    format.setFontItalic(isSource);
    if (cache == PromptCache::Unknown) {
        if (isSource || kind == PromptKind::Control)
            format.setBackground(isSource ? theme.softBlock : theme.codeBlock);
        return format;
    }
    const bool isReused = cache == PromptCache::Reused;
    if (!isReused)
        format.setBackground(theme.softBlock);
    format.setUnderlineStyle(
        isReused ? QTextCharFormat::DashUnderline : QTextCharFormat::SingleUnderline);
    format.setUnderlineColor(isReused ? theme.mutedText : theme.accent);
    return format;
}

void writePromptText(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache)
{
    PromptWriter writer(edit, showsCache);
    for (const app::PromptSpan& span : view.spans)
        writer.write(QString::fromUtf8(view.text.data() + span.bytes.start,
                         qsizetype(span.bytes.end - span.bytes.start)),
            span.kind, span.cache, span.source >= 0);
}

void writePromptIds(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache)
{
    PromptWriter writer(edit, showsCache);
    const auto& tokens = view.tokens;
    for (size_t i = 0; i < tokens.size();) {
        const app::PromptToken& first = tokens[i];
        QString ids;
        for (; i < tokens.size() && looksAlike(tokens[i], first); ++i) {
            ids += QString::number(tokens[i].id);
            if (i + 1 < tokens.size())
                ids += QStringLiteral(", ");
        }
        writer.write(ids, first.kind, first.cache, first.source >= 0);
    }
}

} // namespace ui
