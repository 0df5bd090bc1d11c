#pragma once

#include "app/conversation/conversation.h"
#include "ui/chat/answer_footer.h"
#include "ui/chat/answer_tints.h"
#include "ui/chat/message_view.h"
#include "ui/chat/text_surface.h"
#include "ui/markdown/markdown_stream.h"

#include <QElapsedTimer>
#include <QTimer>

namespace ui {

class LedgerView;

/// One answer: edge bar, text as Markdown, footer. It follows its draft; how often it lays out new
/// text depends on what the last time cost, so that a huge block cannot freeze the window.
class AnswerView : public MessageView {
    Q_OBJECT
public:
    AnswerView(app::Conversation& conversation, size_t turnIndex, QWidget* parent = nullptr);

    /// Takes over what changed in the draft.
    void update();
    void setIsLast(bool isLast);
    /// What the loaded model was trained with; 0 = no model.
    void setLongestContext(int contextLength);
    int heightFor(int width) const override;
    const DraftWords& words() const { return m_words; }
    const TextSurface& surface() const { return *m_surface; }
    TextSurface& surface() { return *m_surface; }
    AnswerFooter& footer() { return *m_footer; }
    /// The ledger of the shown draft, once it has ended.
    void setLedgerShown(bool shown);
    bool isLedgerShown() const;
    /// Selects a token of the shown draft in the text; a token without text puts the caret there.
    void showToken(int tokenIndex);
    /// Tints behind the text; see AnswerTints.
    AnswerTints& tints() { return m_tints; }
    /// Scrolls so that it can be seen.
    void revealTint(int index);

signals:
    void copyRequested();
    /// What is known of its tokens is to be seen.
    void inspectRequested();
    /// Why it stopped here is to be tried out.
    void whyRequested();
    void regenerateRequested(int cap);
    void continueRequested(int cap);
    void longerContextRequested(int contextLength);
    void editRequested();
    void removeRequested();
    void acceptRequested(bool accepted);
    void linkActivated(const QString& target);
    /// This part of the answer is to be seen.
    void revealRequested(const QRect& part);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void noteUnseen() override { takeHeld(); }

private:
    const app::Turn& turn() const { return *m_conversation.turns()[m_turnIndex]; }
    const app::Answer& answer() const { return *turn().answer; }
    void takeText();
    void takeReleased();
    void takeHeld();
    void updateDetails();
    AnswerOffers offers() const;
    void placeSeams();
    void updateLedger();
    void showDecidingToken();
    void setBusy(bool busy);
    int indent() const;
    int footerGap() const;

    app::Conversation& m_conversation;
    size_t m_turnIndex;
    MarkdownStream m_stream;
    const app::Answer* m_shownAnswer = nullptr;
    QString m_shownGap;
    size_t m_seamCount = 0; ///< that are marked in the text
    DraftWords m_words;
    TextSurface* m_surface;
    AnswerTints m_tints;
    class ErrorDetails* m_details;
    AnswerFooter* m_footer;
    LedgerView* m_ledger = nullptr; ///< made when it is first opened
    QTimer m_textTimer;
    QElapsedTimer m_sinceText;
    qint64 m_textCostMs = 0;
    bool m_isLast = false;
    int m_longestContext = 0;
    bool m_isBusy = false;
};

} // namespace ui
