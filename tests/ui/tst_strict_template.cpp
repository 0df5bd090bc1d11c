#include "tests/ui/window_fixture.h"

using engine::StopReason;

namespace {

constexpr const char* kAlternating
    = "{% for message in messages %}{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}"
      "{{ raise_exception('Conversation roles must alternate') }}{% endif %}[{{ message.role }}]"
      "{{ message.content }}{% endfor %}";

}

/// cases.md G-03 in the window: a template that refuses two messages of one role in a row.
class TestStrictTemplate : public QObject {
    Q_OBJECT
private slots:
    void g03_cancelAndSendAgainDoesNotDeadEndTheChat();
    void g03_whatTheTemplateRefusesIsNamedAndDeletingRecovers();
};

void TestStrictTemplate::g03_cancelAndSendAgainDoesNotDeadEndTheChat()
{
    tests::WindowFixture fixture;
    fixture.engine.offer.ownSource = kAlternating;
    fixture.loadModel();
    fixture.send("First");
    QTest::keyClick(fixture.edit(), Qt::Key_Escape);
    QCOMPARE(fixture.engine.cancelled.size(), size_t(1));
    fixture.engine.end(StopReason::Cancelled); // before the first token
    fixture.settle();
    fixture.send("Second");
    QVERIFY2(!fixture.problemCard(), qPrintable(fixture.problemText()));
    QCOMPARE(fixture.engine.requests.size(), size_t(2));
    QCOMPARE(fixture.chat().lastDraft()->origin().promptText,
        std::string("[user]First\n\nSecond")); // both, as one message
    fixture.engine.token("Fine");
    fixture.engine.end(StopReason::EndToken);
    fixture.settle();
    fixture.send("Third");
    QCOMPARE(fixture.engine.requests.size(), size_t(3));
}

void TestStrictTemplate::g03_whatTheTemplateRefusesIsNamedAndDeletingRecovers()
{
    tests::WindowFixture fixture;
    fixture.engine.offer.ownSource = kAlternating;
    fixture.loadModel();
    app::ChatSettings settings = fixture.chat().settings();
    settings.systemText = "Be brief."; // a first message that is not the user's
    fixture.chat().setSettings(settings);
    fixture.send("First");
    QVERIFY(fixture.engine.requests.empty());
    QVERIFY(fixture.problemCard());
    QVERIFY2(fixture.problemText().contains("must alternate"), qPrintable(fixture.problemText()));
    QCOMPARE(fixture.edit()->toPlainText(), QString("First")); // what was typed is there
    settings.systemText.clear();
    fixture.chat().setSettings(settings);
    QTest::keyClick(fixture.edit(), Qt::Key_Return);
    fixture.settle();
    QVERIFY(!fixture.problemCard());
    QCOMPARE(fixture.engine.requests.size(), size_t(1));
}

QTEST_MAIN(TestStrictTemplate)
#include "tst_strict_template.moc"
