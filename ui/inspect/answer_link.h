#pragma once

#include "ui/chat/answer_view.h"
#include "ui/inspect/token_colours.h"

#include <QPointer>

namespace ui {

class TokenStrip;

/// Keeps a token strip and the text of the answer it lists in step: the same tints, and the token
/// that is current or pointed at in one is so in the other. GUI thread.
class AnswerLink : public QObject {
    Q_OBJECT
public:
    explicit AnswerLink(TokenStrip& strip, QObject* parent = nullptr);
    ~AnswerLink() override;

    /// The view of the strip's answer; null: it is not shown. restarts: its tints are others.
    void follow(AnswerView* view, bool restarts);

private:
    void attach(AnswerView* view);
    void giveTints();
    void mark();
    int tokenOf(int tint) const;
    int tintOf(int token) const;

    TokenStrip& m_strip;
    QPointer<AnswerView> m_view;
    size_t m_givenCount = 0; ///< tints the view has
};

} // namespace ui
