#include "engine/session/text_release.h"

#include <QtTest>

using namespace engine;

class TestTextRelease : public QObject {
    Q_OBJECT
private slots:
    void g18_onlyWholeCharactersAreReleased()
    {
        TextRelease release({});
        QCOMPARE(release.push("\xF0\x9F").text, std::string());
        QCOMPARE(release.waitingBytes(), std::string("\xF0\x9F"));
        QCOMPARE(release.push("\x8C").text, std::string());
        QCOMPARE(release.push("\x9F").text, std::string("\xF0\x9F\x8C\x9F"));
        QCOMPARE(release.waitingBytes(), std::string());
    }
    void g19_anUnfinishedCharacterIsNotReleasedAtTheEnd()
    {
        TextRelease release({});
        release.push("ok \xF0\x9F");
        QCOMPARE(release.finish(), std::string());
        QCOMPARE(release.waitingBytes(), std::string("\xF0\x9F"));
    }
    void g19_continuingCompletesTheCharacter()
    {
        TextRelease release({});
        release.continueFrom("ok \xF0\x9F");
        QCOMPARE(release.push("\x8C\x9F!").text, std::string("\xF0\x9F\x8C\x9F!"));
    }
    void aStopStringWithinWhichACharacterIsSplitIsMet()
    {
        TextRelease release({ "\xC3\xA9t" }); // "ét"
        QCOMPARE(release.push("a\xC3").text, std::string("a"));
        QCOMPARE(release.push("\xA9").text, std::string());
        QCOMPARE(release.heldText(), std::string_view("\xC3\xA9"));
        QCOMPARE(release.push("t").match, std::optional(StopStringMatch { "\xC3\xA9t", 1 }));
    }
};

QTEST_APPLESS_MAIN(TestTextRelease)
#include "tst_text_release.moc"
