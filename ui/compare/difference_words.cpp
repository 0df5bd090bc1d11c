#include "ui/compare/difference_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ui {

namespace {
    using app::PartingCause;

    QString tr(const char* text) { return QCoreApplication::translate("DifferenceWords", text); }

    QString fieldName(const app::SamplerField& field)
    {
        return QString::fromLatin1(field.name).replace(QLatin1Char('_'), QLatin1Char(' '));
    }

    /// "temperature (0.8 and 0.3)", joined.
    QString fieldList(const AlignedRun& a, const AlignedRun& b, const app::RunDifference& difference)
    {
        QStringList fields;
        for (const app::SamplerField* field : difference.fields)
            fields.append(tr("%1 (%2 and %3)")
                              .arg(fieldName(*field), QString::fromStdString(field->value(*a.run.samplingAt(difference.token))),
                                  QString::fromStdString(field->value(*b.run.samplingAt(difference.token)))));
        return fields.join(tr(", or "));
    }

    QString stopList(const std::vector<std::string>& settings)
    {
        QStringList names;
        for (const std::string& setting : settings)
            names.append(setting == "length_cap" ? tr("the length cap")
                    : setting == "stop_strings"  ? tr("its stop strings")
                                                 : tr("that end tokens are heeded or ignored"));
        return names.join(tr(" and "));
    }

    QString endWords(const AlignedRun& a, const AlignedRun& b, const app::RunDifference& difference)
    {
        const AlignedRun& shorter = difference.isFirstShorter ? a : b;
        if (shorter.isUnderWay)
            return tr("%1 and %2: the same tokens as far as %3 has come, token %L4.")
                .arg(a.label, b.label, shorter.label)
                .arg(difference.token);
        const QString reason = shorter.run.reason
            ? QString::fromLatin1(engine::stopReasonInfo(*shorter.run.reason).words)
            : tr("for a reason that is not known");
        const QString ended = tr("%1 ended before token %2: %3.").arg(shorter.label).arg(difference.token + 1).arg(reason);
        if (difference.stopSettings.empty())
            return ended;
        return ended + QLatin1Char(' ')
            + tr("Under %1 the other would have ended there too.").arg(stopList(difference.stopSettings));
    }

    QString scoresWords(const AlignedRun& a, const AlignedRun& b)
    {
        if (!app::isSameFile(a.run, b.run))
            return tr("Another model file: %1 and %2.")
                .arg(QString::fromStdString(a.run.checkpointFile), QString::fromStdString(b.run.checkpointFile));
        if (a.run.deviceName != b.run.deviceName)
            return tr("The same tokens before it and other scores: computed by %1 and by %2.")
                .arg(QString::fromStdString(a.run.deviceName), QString::fromStdString(b.run.deviceName));
        return tr("The same tokens before it and other scores; the records do not tell why.");
    }

    /// Which of its tokens one could not have where the other could: "B was not allowed ‘x’ at this token."
    QString banWords(const AlignedRun& one, const AlignedRun& other, size_t token)
    {
        const engine::TokenIds othersBans = other.run.bannedIdsAt(token);
        QStringList pieces;
        for (const engine::TokenId id : one.run.bannedIdsAt(token))
            if (std::ranges::find(othersBans, id) == othersBans.end())
                pieces.append(QStringLiteral("‘%1’").arg(one.drawn(id)));
        return pieces.isEmpty() ? QString()
                                : tr("%1 was not allowed %2 at this token.").arg(one.label, pieces.join(tr(" and ")));
    }

    QString bansWords(const AlignedRun& a, const AlignedRun& b, size_t token)
    {
        QStringList sentences { banWords(a, b, token), banWords(b, a, token) };
        sentences.removeAll(QString());
        return sentences.join(QLatin1Char(' '));
    }

    QString causeWords(const AlignedRun& a, const AlignedRun& b, const app::RunDifference& difference)
    {
        switch (difference.cause) {
        case PartingCause::Prompt:
            return tr("They were given other prompts, from token %1 of the prompt on.")
                .arg(difference.promptToken.value_or(0) + 1);
        case PartingCause::PutIn:
            return tr("Nobody chose it: the token was put in by a person.");
        case PartingCause::Scores:
            return scoresWords(a, b);
        case PartingCause::Ban:
            return bansWords(a, b, difference.token);
        case PartingCause::Setting:
            return tr("Tried: in %1's place the setting %2 alone makes %3's token.")
                .arg(a.label, fieldList(a, b, difference), b.label);
        case PartingCause::Settings:
            return tr("Tried: no single setting makes the other token, all that differ together do. %1")
                .arg(bansWords(a, b, difference.token))
                .trimmed();
        case PartingCause::Draw:
            return tr("The same distribution and another draw: %1.")
                .arg(difference.fields.empty() ? tr("the answers had come to another place of the same seed")
                                               : fieldList(a, b, difference));
        case PartingCause::Unexplained:
            return tr("The scores are the same, and no setting, ban or draw that was tried makes the other token.");
        case PartingCause::End:
        case PartingCause::Unknown:
            break;
        }
        return tr("What would tell the cause was not recorded.");
    }
}

QString differenceWords(
    const AlignedRun& a, const AlignedRun& b, const std::optional<app::RunDifference>& difference)
{
    if (!difference && (a.isUnderWay || b.isUnderWay))
        return tr("%1 and %2: the same tokens so far.").arg(a.label, b.label);
    if (!difference)
        return tr("%1 and %2: the same tokens, to the end.").arg(a.label, b.label);
    if (difference->cause == PartingCause::End)
        return endWords(a, b, *difference);
    return tr("Token %1 is %2 in %3 and %4 in %5. %6")
        .arg(difference->token + 1)
        .arg(QStringLiteral("‘%1’").arg(a.drawnAt(difference->token)), a.label,
            QStringLiteral("‘%1’").arg(b.drawnAt(difference->token)), b.label, causeWords(a, b, *difference));
}

QString outcomeWords(const app::StopOutcome& outcome, size_t tokenCount)
{
    if (!outcome.reason)
        return tr("would have gone on after token %1, to where nobody knows").arg(tokenCount);
    const engine::StopReasonInfo& info = engine::stopReasonInfo(*outcome.reason);
    return tr("%1 at token %2 of the %3 there are · %4")
        .arg(QString::fromLatin1(engine::verdictName(info.verdict)))
        .arg(outcome.tokenCount)
        .arg(tokenCount)
        .arg(QString::fromLatin1(info.words));
}

} // namespace ui
