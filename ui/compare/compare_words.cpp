#include "ui/compare/compare_words.h"

#include "ui/chat/draft_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <map>

namespace ui {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("CompareWords", text); }

    QString escaped(QString text)
    {
        return text.replace(QLatin1Char('\\'), QStringLiteral("\\\\"))
            .replace(QLatin1Char('\t'), QStringLiteral("\\t"))
            .replace(QLatin1Char('\r'), QStringLiteral("\\r"))
            .replace(QLatin1Char('\n'), QStringLiteral("\\n"));
    }

    // For a spreadsheet: with a point, whatever the locale.
    QString number(std::optional<double> value)
    {
        return value ? QString::number(*value, 'f', 2) : QString();
    }

    std::optional<double> seconds(std::optional<double> ms)
    {
        return ms ? std::optional(*ms / 1000) : std::nullopt;
    }

    QStringList cellsOf(const ComparedAnswer& compared)
    {
        if (!compared.answer)
            return { compared.problem ? compared.problem->title
                    : compared.state.isEmpty() ? tr("not there")
                                               : compared.state,
                compared.problem ? compared.problem->message : QString(), {}, {}, {}, {}, {} };
        const DraftWords words = answerWords(*compared.answer);
        const app::Draft* draft = compared.answer->draft();
        return { words.state, words.chip, QString::number(compared.answer->tokenCount()),
            number(draft ? draft->writeRate() : std::nullopt),
            number(draft ? seconds(draft->firstOutputMs()) : std::nullopt),
            number(draft ? seconds(draft->completionMs()) : std::nullopt),
            QString::fromStdString(compared.answer->text()) };
    }
}

QString columnName(size_t column) { return QString(QChar(char16_t(u'A' + column))); }

namespace {
    /// A run may stand in several columns, where nothing would change: it is counted once.
    std::vector<ComparedAnswer> eachOnce(const std::vector<ComparedAnswer>& answers)
    {
        std::vector<ComparedAnswer> once;
        for (const ComparedAnswer& compared : answers)
            if (!compared.answer || std::ranges::find(once, compared.answer, &ComparedAnswer::answer) == once.end())
                once.push_back(compared);
        return once;
    }
}

QString countWords(const std::vector<ComparedAnswer>& columns)
{
    const std::vector<ComparedAnswer> answers = eachOnce(columns);
    std::map<engine::StopReason, int> counts;
    int underWay = 0;
    int missing = 0;
    int toCome = 0;
    int edited = 0;
    for (const ComparedAnswer& compared : answers) {
        if (!compared.answer && compared.isToCome)
            ++toCome;
        else if (!compared.answer)
            ++missing;
        else if (!compared.answer->draft())
            ++edited;
        else if (const auto& ending = compared.answer->draft()->ending())
            ++counts[ending->ledger.reason];
        else
            ++underWay;
    }
    std::vector<std::pair<engine::StopReason, int>> often(counts.begin(), counts.end());
    std::stable_sort(
        often.begin(), often.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    QStringList parts { answers.size() == 1 ? tr("1 run") : tr("%L1 runs").arg(answers.size()) };
    const auto add = [&parts](int count, const QString& words) {
        if (count > 0)
            parts.append(QStringLiteral("%L1 %2").arg(count).arg(words));
    };
    for (const auto& [reason, count] : often)
        add(count, QString::fromLatin1(engine::stopReasonInfo(reason).name).replace(QLatin1Char('_'), QLatin1Char(' ')));
    add(edited, tr("edited by you"));
    add(underWay, tr("under way"));
    add(toCome, tr("to come"));
    add(missing, tr("not begun"));
    return parts.join(QStringLiteral(" · "));
}

QString lengthWords(const std::vector<ComparedAnswer>& answers)
{
    std::vector<int> lengths;
    for (const ComparedAnswer& compared : answers)
        if (compared.answer && compared.answer->draft())
            lengths.push_back(compared.answer->tokenCount());
    if (lengths.empty())
        return {};
    const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
    if (*least == *most)
        return *least == 1 ? tr("1 token each") : tr("%L1 tokens each").arg(*least);
    return tr("%L1 to %L2 tokens").arg(*least).arg(*most);
}

QString passedWords(const std::vector<ComparedAnswer>& columns)
{
    const std::vector<ComparedAnswer> answers = eachOnce(columns);
    int checked = 0;
    int passed = 0;
    for (const ComparedAnswer& compared : answers) {
        const app::Draft* draft = compared.answer ? compared.answer->draft() : nullptr;
        if (!draft || !draft->check())
            continue;
        ++checked;
        if (draft->check()->isReady())
            ++passed;
    }
    return checked > 0 ? tr("checks passed %L1 of %L2").arg(passed).arg(answers.size()) : QString();
}

QString comparedTable(const std::vector<ComparedAnswer>& answers)
{
    const auto lineOf = [](const QStringList& cells) {
        return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    QString table = lineOf({ tr("run"), tr("state"), tr("stop reason"), tr("new tokens"), tr("tokens/s"),
        tr("first output (s)"), tr("completion (s)"), tr("text") });
    for (const ComparedAnswer& compared : answers) {
        QStringList cells { escaped(compared.label) };
        for (const QString& cell : cellsOf(compared))
            cells.append(escaped(cell));
        table += lineOf(cells);
    }
    return table;
}

qsizetype commonLength(const QString& a, const QString& b)
{
    const qsizetype shorter = std::min(a.size(), b.size());
    qsizetype common = 0;
    while (common < shorter && a[common] == b[common])
        ++common;
    return common > 0 && a[common - 1].isHighSurrogate() ? common - 1 : common;
}

} // namespace ui
