#pragma once

#include "app/conversation/source_text.h"

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;

namespace ui {

/// Asks for the name of a source text and for the text itself, to be pasted or typed; or for files
/// instead. A pasted text has line feeds only, as Qt's text boxes have; a file keeps its bytes.
class SourceDialog : public QDialog {
    Q_OBJECT
public:
    explicit SourceDialog(QWidget* parent = nullptr);

    /// What was entered, or the files that were chosen, checked as any other source text.
    std::vector<engine::Result<app::SourceText>> sources() const;

private:
    void chooseFiles();

    QStringList m_files;
    QLineEdit* m_name;
    QPlainTextEdit* m_text;
};

/// Shows a source text as it goes into the prompt, to read and copy but not to change.
class SourceReader : public QDialog {
    Q_OBJECT
public:
    SourceReader(
        const app::SourceText& source, std::optional<int> tokenCount, QWidget* parent = nullptr);
};

} // namespace ui
