#include "ui/inspect/token_names.h"

#include "ui/inspect/chip_text.h"
#include "ui/inspect/token_measure.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    struct NameWords {
        Q_DECLARE_TR_FUNCTIONS(TokenNames)
    };

    /// What was observed of it, or why there is nothing.
    QStringList observed(const app::TokenTrack& track, int token)
    {
        const app::TrackToken& shown = track.tokens()[size_t(token)];
        if (shown.place == app::TokenPlace::Prompt) {
            QStringList told;
            if (shown.origin != app::PromptOrigin::Unknown)
                told.append(originWords(shown.origin));
            told.append(shown.isReused ? NameWords::tr("reused from the cache")
                                       : NameWords::tr("read by this run"));
            return told;
        }
        QStringList parts;
        const engine::TokenRecord* record = track.record(token);
        if (record && record->logprob)
            parts.append(NameWords::tr("probability %1")
                             .arg(percentWords(std::exp(double(*record->logprob)))));
        if (record && record->rank)
            parts.append(NameWords::tr("rank %1").arg(QLocale().toString(*record->rank)));
        if (parts.isEmpty() && record)
            parts.append(NameWords::tr("probability not known"));
        if (shown.source != engine::TokenSource::Sampled)
            parts.append(sourceWords(shown.source));
        if (track.isKept(token))
            parts.append(NameWords::tr("kept by the fork"));
        return parts;
    }
}

int tokenNumber(const app::TokenTrack& track, int token)
{
    const app::TokenPlace place = track.tokens()[size_t(token)].place;
    if (place == app::TokenPlace::Prompt)
        return token + 1;
    const auto begun = track.tokens().begin() + track.promptCount();
    if (place == app::TokenPlace::Opening)
        return token - track.promptCount() + 1;
    const auto added = std::partition_point(begun, track.tokens().end(),
        [](const app::TrackToken& other) { return other.place == app::TokenPlace::Opening; });
    return token - int(added - track.tokens().begin()) + 1;
}

QString tokenName(const app::TokenTrack& track, int token)
{
    const app::TrackToken& shown = track.tokens()[size_t(token)];
    const QString number = QLocale().toString(tokenNumber(track, token));
    const QString piece = spokenPiece(shown);
    QString name = shown.place == app::TokenPlace::Prompt
        ? NameWords::tr("prompt token %1, ‘%2’").arg(number, piece)
        : shown.place == app::TokenPlace::Opening
        ? NameWords::tr("begun token %1, ‘%2’").arg(number, piece)
        : NameWords::tr("token %1, ‘%2’").arg(number, piece);
    const QStringList parts = observed(track, token);
    return parts.isEmpty() ? name : name + QStringLiteral(", ") + parts.join(QStringLiteral(", "));
}

} // namespace ui
