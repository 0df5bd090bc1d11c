#pragma once

#include "app/inspection/token_track.h"

#include <QString>

#include <vector>

namespace ui {

/// A stretch of a chip's text in one look.
struct ChipRun {
    QString text;
    bool isMark = false; ///< stands for what cannot be seen: a space, a line break, a lone byte

    bool operator==(const ChipRun&) const = default;
};

/// What the chip of one token shows.
struct ChipText {
    std::vector<ChipRun> runs;
    bool isControl = false; ///< a control token: an outlined capsule
    bool endsLine = false; ///< it has a line break: the strip breaks after it

    bool operator==(const ChipText&) const = default;
    QString text() const;
};

/// Spaces are middle dots, line breaks ⏎, tabs ⇥, bytes that are no whole character ⟨F0⟩, and
/// what would turn or hide its neighbours ⟨U+202E⟩. A token without bytes and name is its id: #335.
ChipText chipText(const app::TrackToken& token);

/// The token's text as it is read out: as it is, but unseen characters as in chipText().
QString spokenPiece(const app::TrackToken& token);

} // namespace ui
