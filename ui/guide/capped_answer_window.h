#pragma once

#include <QDialog>

namespace ui {

/// A ready-made answer to a rail question that was capped, with what is asked of such an answer:
/// what is present so far, what is not, and that it is not ready. No model ran.
class CappedAnswerWindow : public QDialog {
    Q_OBJECT
public:
    explicit CappedAnswerWindow(QWidget* parent = nullptr);
};

} // namespace ui
