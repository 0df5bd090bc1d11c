#pragma once

#include "app/storage/run_list.h"

#include <QCoreApplication>

namespace ui {

/// What the library says of a run, in words.
struct RunWords {
    Q_DECLARE_TR_FUNCTIONS(RunWords)
public:
    /// "length cap reached"; "under way" for none.
    static QString reason(const std::optional<engine::StopReason>& reason);
    /// "a person", "the grid", ...; what the record says where it is no word of this program.
    static QString startedBy(const QString& name);
    static QString title(const QString& conversationTitle);
    /// "plain text" for none.
    static QString templateFamily(const QString& family);
};

} // namespace ui
