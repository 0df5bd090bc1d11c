#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

// Text of a person, a model or a file is never read as HTML: it would hide lines and could fetch
// images. Qt guesses the format of labels, tool tips and message boxes unless told, so the sources
// of the window are held to telling it.
class TestPlainText : public QObject {
    Q_OBJECT

private slots:
    void everySourceOfTheWindowKeepsTheRule();
    void labelWithoutPlainTextIsFound();
    void derivedLabelWithoutPlainTextIsFound();
    void toolTipWithUnescapedTextIsFound();
    void readyMadeMessageBoxIsFound();
    void htmlIsFound();
};

namespace {
QString argumentsFrom(const QString& text, qsizetype open)
{
    int depth = 0;
    for (qsizetype i = open; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0)
            return text.mid(open + 1, i - open - 1);
    }
    return text.mid(open + 1);
}

// label->setTextFormat(...) by its own name, or in a loop over a list that names it.
bool isSetToPlainText(const QString& text, const QString& name)
{
    static const QString kCall = "setTextFormat(Qt::PlainText)";
    if (text.contains(name + "->" + kCall) || text.contains(name + "." + kCall))
        return true;
    static const QRegularExpression kLoop(R"(for \(QLabel\* (\w+) : \{([^}]*)\}\))");
    for (auto it = kLoop.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch loop = it.next();
        const bool namesIt = loop.captured(2).contains(QRegularExpression("\\b" + name + "\\b"));
        if (namesIt && text.contains(loop.captured(1) + "->" + kCall))
            return true;
    }
    return false;
}

// What in this source could show text as HTML, in sentences.
QStringList faultsIn(const QString& text)
{
    QStringList faults;
    // label = new QLabel(...), m_label(new QLabel(...)), QMessageBox box(...)
    static const QRegularExpression kMade(
        R"((\w+)\s*[=({]\s*new QLabel\b|\bQ(?:Label|MessageBox) (\w+)[({])");
    for (auto it = kMade.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const QString name = match.captured(1) + match.captured(2);
        if (!isSetToPlainText(text, name))
            faults += name + " is not set to plain text";
    }
    static const QRegularExpression kDerived(R"([:,]\s*QLabel\()");
    if (text.contains(kDerived) && !text.contains("setTextFormat(Qt::PlainText)"))
        faults += "a class derived from QLabel does not set its text format";
    static const QRegularExpression kToolTip(R"((?:setToolTip|QToolTip::showText)(\())");
    for (auto it = kToolTip.globalMatch(text); it.hasNext();) {
        const QString argument = argumentsFrom(text, it.next().capturedStart(1)).trimmed();
        // Our own words are fine, also as a parameter of these names; what is put into them, or
        // stands alone, is escaped.
        static const QRegularExpression kTranslated(R"(\btr\(\s*")");
        const bool isOwnWords = argument == "help" || argument == "toolTip"
            || (argument.contains(kTranslated) && !argument.contains(".arg("));
        if (!isOwnWords && !argument.isEmpty() && !argument.contains("toHtmlEscaped"))
            faults += "tool tip " + argument + " is not escaped";
    }
    static const QRegularExpression kReadyMade(
        R"(QMessageBox::(about|critical|information|question|warning)\()");
    if (text.contains(kReadyMade))
        faults += "a ready-made message box guesses the format of its text";
    static const QRegularExpression kHtml(
        R"(\b(setHtml|insertHtml|Qt::RichText|Qt::AutoText|Qt::MarkdownText|QTextBrowser)\b)");
    if (const auto match = kHtml.match(text); match.hasMatch())
        faults += match.captured(1) + " shows HTML";
    return faults;
}
}

void TestPlainText::everySourceOfTheWindowKeepsTheRule()
{
    QStringList faults;
    int fileCount = 0;
    QDirIterator files(
        TOKENGLASS_SOURCE_DIR "/ui", { "*.cpp", "*.h" }, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        // The one page that is HTML: this program writes it, and escapes what runs say.
        if (files.fileName().startsWith("worksheet_page."))
            continue;
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const QString& fault : faultsIn(QString::fromUtf8(file.readAll())))
            faults += file.fileName() + ": " + fault;
        ++fileCount;
    }
    QVERIFY(fileCount > 0);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
}

void TestPlainText::labelWithoutPlainTextIsFound()
{
    QCOMPARE(faultsIn("auto* a = new QLabel(this);").size(), 1);
    QCOMPARE(faultsIn(", m_a(new QLabel(this))").size(), 1);
    QCOMPARE(faultsIn("QMessageBox box(this);").size(), 1);
    QCOMPARE(faultsIn("auto* a = new QLabel(this);\na->setTextFormat(Qt::PlainText);").size(), 0);
    QCOMPARE(faultsIn("a = new QLabel(this);\nfor (QLabel* each : { a, b })\n    "
                      "each->setTextFormat(Qt::PlainText);")
                 .size(),
        0);
    QCOMPARE(faultsIn("a = new QLabel(this);\nfor (QLabel* each : { b, c })\n    "
                      "each->setTextFormat(Qt::PlainText);")
                 .size(),
        1);
    QCOMPARE(faultsIn("QMessageBox box(this);\nbox.setTextFormat(Qt::PlainText);").size(), 0);
}

void TestPlainText::derivedLabelWithoutPlainTextIsFound()
{
    QCOMPARE(faultsIn("Button::Button()\n    : QLabel(parent)\n{").size(), 1);
    QCOMPARE(
        faultsIn("Button::Button()\n    : QLabel(parent)\n{\n    setTextFormat(Qt::PlainText);")
            .size(),
        0);
}

void TestPlainText::toolTipWithUnescapedTextIsFound()
{
    QCOMPARE(faultsIn("a->setToolTip(path);").size(), 1);
    QCOMPARE(faultsIn("a->setToolTip(tr(\"Open %1\").arg(path));").size(), 1);
    QCOMPARE(faultsIn("a->setToolTip(path.toHtmlEscaped());").size(), 0);
    QCOMPARE(faultsIn("a->setToolTip(tr(\"Send (Enter)\"));").size(), 0);
}

void TestPlainText::readyMadeMessageBoxIsFound()
{
    QCOMPARE(faultsIn("QMessageBox::warning(this, title, text);").size(), 1);
    QCOMPARE(faultsIn("box.setIcon(QMessageBox::Warning);").size(), 0);
}

void TestPlainText::htmlIsFound() { QCOMPARE(faultsIn("view->setHtml(text);").size(), 1); }

QTEST_APPLESS_MAIN(TestPlainText)
#include "tst_plain_text.moc"
