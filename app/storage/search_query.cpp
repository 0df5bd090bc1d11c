#include "app/storage/search_query.h"

#include <QCoreApplication>

#include <algorithm>

namespace app {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("SearchQuery", text); }

    // One part of what was typed: key:value, or a value alone.
    struct Term {
        QString key;
        QString value;
        bool isQuoted = false;
        QString typed;
    };

    QString quoted(const QString& text) { return QStringLiteral("“%1”").arg(text); }

    // Up to the closing quote (or the end, when it was never typed); leaves position behind it.
    QString takeQuoted(const QString& typed, qsizetype& position)
    {
        const qsizetype start = position + 1;
        const qsizetype found = typed.indexOf(u'"', start);
        const qsizetype end = found < 0 ? typed.size() : found;
        position = std::min(end + 1, typed.size());
        return typed.mid(start, end - start);
    }

    QString takePlain(const QString& typed, qsizetype& position)
    {
        const qsizetype start = position;
        while (position < typed.size() && !typed[position].isSpace() && typed[position] != u'"')
            ++position;
        return typed.mid(start, position - start);
    }

    std::vector<Term> termsOf(const QString& typed)
    {
        std::vector<Term> terms;
        qsizetype position = 0;
        while (position < typed.size()) {
            if (typed[position].isSpace()) {
                ++position;
                continue;
            }
            const qsizetype start = position;
            Term term;
            if (typed[position] == u'"') {
                term.value = takeQuoted(typed, position);
                term.isQuoted = true;
            } else {
                term.value = takePlain(typed, position);
                const qsizetype colon = term.value.indexOf(u':');
                if (colon > 0) {
                    term.key = term.value.left(colon).toLower();
                    term.value = term.value.mid(colon + 1);
                    const bool quoteFollows = position < typed.size() && typed[position] == u'"';
                    if (term.value.isEmpty() && quoteFollows)
                        term.value = takeQuoted(typed, position);
                }
            }
            term.typed = typed.mid(start, position - start);
            terms.push_back(term);
        }
        return terms;
    }

    // Every verdict of the table of stop reasons, and two states that are none.
    QStringList stateNames()
    {
        QStringList names;
        for (const engine::StopReasonInfo& info : engine::stopReasonTable())
            if (const QString name = QString::fromLatin1(engine::verdictName(info.verdict));
                !names.contains(name))
                names << name;
        return names << QStringLiteral("writing") << QStringLiteral("edited");
    }

    QStringList reasonNames()
    {
        QStringList names;
        for (const engine::StopReasonInfo& info : engine::stopReasonTable())
            names << QString::fromLatin1(info.name);
        return names;
    }

    QString addState(SearchQuery& query, const Term& term)
    {
        const QString name = term.value.toLower();
        if (!stateNames().contains(name))
            return tr("%1 is not a state: use %2.")
                .arg(quoted(term.typed), stateNames().join(QStringLiteral(", ")));
        query.states.push_back(name);
        return {};
    }

    QString addReason(SearchQuery& query, const Term& term)
    {
        const auto reason = engine::findStopReason(term.value.toLower().toStdString());
        if (!reason)
            return tr("%1 is not a stop reason: use %2.")
                .arg(quoted(term.typed), reasonNames().join(QStringLiteral(", ")));
        query.reasons.push_back(*reason);
        return {};
    }

    QString setDay(std::optional<QDateTime>& time, const Term& term)
    {
        const QDate day = QDate::fromString(term.value, Qt::ISODate);
        if (!day.isValid())
            return tr("%1 is not a date: write the year, month and day, as in %2.")
                .arg(quoted(term.typed), term.key + QStringLiteral(":2026-11-30"));
        time = day.startOfDay().toUTC();
        return {};
    }

    QString setText(QString& text, const Term& term)
    {
        if (term.value.isEmpty())
            return tr("%1 needs a name after the colon.").arg(quoted(term.typed));
        text = term.value;
        return {};
    }

    QString setPlace(SearchQuery& query, const Term& term)
    {
        if (term.value.toLower() != QStringLiteral("title"))
            return tr("%1 is not a place: use in:title.").arg(quoted(term.typed));
        query.onlyTitles = true;
        return {};
    }

    // What is wrong with the term, in words; "" when nothing is.
    QString addTerm(SearchQuery& query, const Term& term)
    {
        if (term.key == u"is")
            return addState(query, term);
        if (term.key == u"reason")
            return addReason(query, term);
        if (term.key == u"model")
            return setText(query.model, term);
        if (term.key == u"folder")
            return setText(query.folder, term);
        if (term.key == u"before")
            return setDay(query.before, term);
        if (term.key == u"after")
            return setDay(query.after, term);
        if (term.key == u"in")
            return setPlace(query, term);
        // A colon in a text: an address, a time.
        const QString word = term.isQuoted ? term.value : term.typed;
        if (!word.trimmed().isEmpty())
            query.words.push_back(word);
        return {};
    }
}

SearchQuery readSearchQuery(const QString& typed)
{
    SearchQuery query;
    QStringList problems;
    for (const Term& term : termsOf(typed))
        if (const QString problem = addTerm(query, term); !problem.isEmpty())
            problems << problem;
    query.problem = problems.join(u' ');
    return query;
}

} // namespace app
