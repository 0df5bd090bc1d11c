#include "ui/inspect/token_facts.h"

#include "ui/inspect/piece_words.h"
#include "ui/inspect/token_measure.h"
#include "ui/inspect/trace_words.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace ui {

namespace {
    using engine::TokenRecord;

    QString tr(const char* text) { return QCoreApplication::translate("TokenFacts", text); }
    QString notObserved() { return tr("not observed"); }

    QString sourceOf(const app::TrackToken& token)
    {
        if (token.place == app::TokenPlace::Prompt) {
            const QString prompt
                = token.isReused ? tr("the prompt, reused from the KV cache") : tr("the prompt");
            return token.origin == app::PromptOrigin::Unknown
                ? prompt
                : tr("%1: %2").arg(prompt, originWords(token.origin));
        }
        switch (token.source) {
        case engine::TokenSource::Sampled:
            return tr("sampled by the model");
        case engine::TokenSource::Forced:
            return tr("forced");
        case engine::TokenSource::Typed:
            return tr("typed by you");
        case engine::TokenSource::Supplied:
            return tr("supplied");
        case engine::TokenSource::Edited:
            return tr("edited by you");
        }
        return notObserved();
    }

    QString bytesOf(const app::TrackToken& token)
    {
        if (!token.bytes.empty())
            return tr("%1 as %2").arg(hexWords(token.bytes), drawnPiece(token.bytes));
        return token.controlText.empty()
            ? tr("not known: the vocabulary is not at hand")
            : tr("none: the control token %1").arg(QString::fromStdString(token.controlText));
    }

    QString nats(const std::optional<float>& value)
    {
        if (!value)
            return notObserved();
        return tr("%1 nats (%2 bits)")
            .arg(QLocale().toString(double(*value), 'f', 2),
                QLocale().toString(double(*value) / std::log(2.0), 'f', 2));
    }

    /// "71 % → 83 %": before all stages, and in the draw.
    QString probabilityOf(const TokenRecord* record, const engine::SamplerSettings* sampling)
    {
        if (!record || !record->logprob)
            return notObserved();
        const QString raw = tr("raw %1").arg(shareWords(std::exp(double(*record->logprob))));
        if (sampling && sampling->temperature == 0)
            return tr("%1 → no draw (greedy)").arg(raw);
        const auto* chosen = [&]() -> const engine::Candidate* {
            for (const engine::Candidate& candidate : record->top)
                if (candidate.id == record->id)
                    return &candidate;
            return nullptr;
        }();
        if (chosen && chosen->droppedBy != engine::SamplerStage::None)
            return tr("%1 → dropped by %2").arg(raw, stageWords(chosen->droppedBy));
        if (!chosen || !chosen->finalProbability)
            return tr("%1 → final not observed").arg(raw);
        return tr("%1 → final %2").arg(raw, shareWords(double(*chosen->finalProbability)));
    }
}

std::vector<TokenFact> tokenFacts(const app::TokenTrack& track, int index)
{
    const app::TrackToken& token = track.tokens()[size_t(index)];
    const TokenRecord* record = track.record(index);
    const QLocale locale;
    std::vector<TokenFact> facts {
        { tr("Id"), QString::number(token.id) },
        { tr("Bytes"), bytesOf(token) },
        { tr("Position"),
            tr("%1, counted from 0").arg(locale.toString(record ? record->position : index)) },
        { tr("Source"),
            track.isKept(index) ? tr("%1, kept by the fork").arg(sourceOf(token)) : sourceOf(token) },
        { tr("Probability"), probabilityOf(record, track.samplingOf(index)) },
        { tr("Surprisal"),
            nats(record && record->logprob ? std::optional(std::abs(*record->logprob))
                                           : std::nullopt) },
        { tr("Rank"), record && record->rank ? locale.toString(*record->rank) : notObserved() },
        { tr("Entropy"), nats(record ? record->entropy : std::nullopt) },
        { tr("Ending here"),
            record && record->endProbability ? shareWords(double(*record->endProbability))
                                             : notObserved() },
    };
    return facts;
}

QString tokenTitle(const app::TokenTrack& track, int index)
{
    const app::TrackToken& token = track.tokens()[size_t(index)];
    const QString name = token.bytes.empty() && !token.controlText.empty()
        ? QStringLiteral("‹%1›").arg(QString::fromStdString(token.controlText))
        : token.bytes.empty() ? quotedPiece(track, index, token.id)
                              : QStringLiteral("‘%1’").arg(drawnPiece(token.bytes));
    if (token.place == app::TokenPlace::Prompt)
        return tr("Prompt token %1 of %2  %3").arg(index + 1).arg(track.promptCount()).arg(name);
    return tr("Token %1  %2").arg(index - track.promptCount() + 1).arg(name);
}

} // namespace ui
