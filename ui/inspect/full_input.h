#pragma once

#include "app/inspection/token_track.h"

#include <QWidget>

class QPlainTextEdit;
class QToolButton;

namespace ui {

/// Everything the model had read before it chose a token, as text or as ids: folded at first, and
/// put together only while it is unfolded.
class FullInput : public QWidget {
    Q_OBJECT
public:
    explicit FullInput(QWidget* parent = nullptr);

    using QWidget::show;
    /// The track must outlive this, or be let go with clear().
    void show(const app::TokenTrack& track, int token);
    void clear();
    bool isUnfolded() const;
    QString text() const;

signals:
    void resized();

private:
    void fill();

    const app::TokenTrack* m_track = nullptr;
    int m_token = 0;
    QToolButton* m_unfold;
    QToolButton* m_asText;
    QToolButton* m_asIds;
    QToolButton* m_copy;
    QPlainTextEdit* m_edit = nullptr; ///< null until it is unfolded for the first time
    QWidget* m_bar;
};

/// The pieces of tokens()[0 .. end), control tokens written out, what is no UTF-8 replaced.
QString inputText(const app::TokenTrack& track, int end);
/// "1, 2, 3"
QString inputIds(const app::TokenTrack& track, int end);

} // namespace ui
