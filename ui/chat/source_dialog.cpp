#include "ui/chat/source_dialog.h"

#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

SourceDialog::SourceDialog(QWidget* parent)
    : QDialog(parent)
    , m_name(new QLineEdit(this))
    , m_text(new QPlainTextEdit(this))
{
    const int unit = gridUnit(this);
    setWindowTitle(tr("Add source text"));
    resize(unit * 80, unit * 56);
    auto* words = new NoteLabel(this);
    words->setNote(tr("The answers of this chat can rest on this text: it goes into the prompt, "
                      "whole, before your first message. Line ends of what is pasted become line "
                      "feeds; .txt and .md files, chosen here or dropped on the chat, keep every "
                      "byte."));
    m_name->setObjectName(QStringLiteral("sourceName"));
    m_name->setPlaceholderText(tr("Pasted text"));
    m_text->setObjectName(QStringLiteral("sourceText"));
    m_text->setPlaceholderText(tr("Paste the text here"));
    m_text->setAccessibleName(tr("Source text"));
    m_text->setTabChangesFocus(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    QPushButton* add = buttons->button(QDialogButtonBox::Ok);
    add->setText(tr("&Add"));
    add->setEnabled(false);
    connect(m_text, &QPlainTextEdit::textChanged, this,
        [this, add] { add->setEnabled(!m_text->document()->isEmpty()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    QPushButton* files = buttons->addButton(tr("&Files…"), QDialogButtonBox::ActionRole);
    files->setObjectName(QStringLiteral("chooseFiles"));
    files->setAutoDefault(false);
    connect(files, &QPushButton::clicked, this, &SourceDialog::chooseFiles);
    auto* form = new QFormLayout;
    form->addRow(tr("&Name"), m_name);
    auto* column = new QVBoxLayout(this);
    column->addWidget(words);
    column->addLayout(form);
    column->addWidget(m_text, 1);
    column->addWidget(buttons);
    m_text->setFocus();
}

void SourceDialog::chooseFiles()
{
    m_files = QFileDialog::getOpenFileNames(
        this, tr("Add source texts"), {}, tr("Texts (*.txt *.md *.markdown)"));
    if (!m_files.isEmpty())
        accept();
}

std::vector<engine::Result<app::SourceText>> SourceDialog::sources() const
{
    if (!m_files.isEmpty())
        return app::readSourceFiles(m_files);
    // Not toPlainText: that turns no-break spaces into spaces.
    QString text = m_text->document()->toRawText();
    text.replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
    return { app::sourceTextOf(m_name->text(), text.toUtf8()) };
}

SourceReader::SourceReader(
    const app::SourceText& source, std::optional<int> tokenCount, QWidget* parent)
    : QDialog(parent)
{
    const int unit = gridUnit(this);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(source.name);
    resize(unit * 90, unit * 64);
    auto* facts = new NoteLabel(this);
    const QString bytes = tr("%L1 bytes of UTF-8").arg(qint64(source.text.size()));
    facts->setNote(tr("%1 · SHA-256 %2")
                       .arg(tokenCount ? tr("%L1 tokens · %2").arg(*tokenCount).arg(bytes) : bytes,
                           QString::fromStdString(source.sha256)));
    facts->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* text = new QPlainTextEdit(QString::fromUtf8(source.text), this);
    text->setReadOnly(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setAccessibleName(tr("Source text %1").arg(source.name));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(facts);
    column->addWidget(text, 1);
    column->addWidget(buttons);
    text->setFocus();
}

} // namespace ui
