#include "engine/session/stop_string_matcher.h"

#include <QtTest>
#include <random>

using namespace engine;

namespace {
struct Outcome {
    std::string text;
    std::optional<StopStringMatch> match;
};

/// Feeds pieces until a match or the end.
Outcome fed(StopStringMatcher matcher, const std::vector<std::string>& pieces)
{
    Outcome outcome;
    for (const std::string& piece : pieces) {
        StopStringMatcher::Step step = matcher.push(piece);
        outcome.text += step.released;
        if (step.match) {
            outcome.match = step.match;
            return outcome;
        }
    }
    outcome.text += matcher.finish();
    return outcome;
}

/// The right answer, from the whole text at once.
Outcome plainOutcome(const std::vector<std::string>& stopStrings, const std::string& text)
{
    for (size_t end = 1; end <= text.size(); ++end) {
        std::string longest;
        for (const std::string& stopString : stopStrings)
            if (std::string_view(text).substr(0, end).ends_with(stopString)
                && stopString.size() > longest.size())
                longest = stopString;
        if (!longest.empty())
            return { text.substr(0, end - longest.size()),
                StopStringMatch { longest, int64_t(end - longest.size()) } };
    }
    return { text, {} };
}
}

class TestStopStringMatcher : public QObject {
    Q_OBJECT
private slots:
    void aStopStringAcrossPiecesIsFoundAndNeverShown()
    {
        StopStringMatcher matcher({ "5, 6" });
        QCOMPARE(matcher.push("4, ").released, std::string("4, "));
        QCOMPARE(matcher.push("5").released, std::string());
        QCOMPARE(matcher.held(), std::string_view("5"));
        QCOMPARE(matcher.heldFor(), std::string("5, 6"));
        QCOMPARE(matcher.push(",").released, std::string());
        const StopStringMatcher::Step step = matcher.push(" 6, 7");
        QCOMPARE(step.released, std::string());
        QCOMPARE(step.match, std::optional(StopStringMatch { "5, 6", 3 }));
    }
    void textThatTurnsOutHarmlessIsReleasedAtOnce()
    {
        StopStringMatcher matcher({ "abac" });
        QCOMPARE(matcher.push("aba").released, std::string());
        QCOMPARE(matcher.push("b").released, std::string("ab")); // "ab" may still begin it
        QCOMPARE(matcher.held(), std::string_view("ab"));
        QCOMPARE(matcher.push("x").released, std::string("abx"));
        QCOMPARE(matcher.heldFor(), std::string());
    }
    void theFirstToBecomeWholeWins()
    {
        // "c" is whole before "abcd" is.
        const Outcome outcome = fed(StopStringMatcher({ "abcd", "c" }), { "xab", "cd" });
        QCOMPARE(outcome.text, std::string("xab"));
        QCOMPARE(outcome.match, std::optional(StopStringMatch { "c", 3 }));
    }
    void ofTwoThatEndTogetherTheLongestWins()
    {
        const Outcome outcome = fed(StopStringMatcher({ "6", ", 6" }), { "5", ", ", "6" });
        QCOMPARE(outcome.text, std::string("5"));
        QCOMPARE(outcome.match, std::optional(StopStringMatch { ", 6", 1 }));
    }
    void heldTextComesOutAtTheEnd()
    {
        StopStringMatcher matcher({ "1Z" });
        QCOMPARE(matcher.push("18, 1").released, std::string("18, "));
        QCOMPARE(matcher.finish(), std::string("1"));
        QCOMPARE(matcher.finish(), std::string());
    }
    void aMatchMayBeginInTheContinuedDraftButNotEndThere()
    {
        StopStringMatcher matcher({ "5, 6", "4" });
        matcher.continueFrom("3, 4, 5,");
        const StopStringMatcher::Step step = matcher.push(" 6, 7");
        QCOMPARE(step.released, std::string()); // " 6" belongs to the match, "5," is shown already
        QCOMPARE(step.match, std::optional(StopStringMatch { "5, 6", 6 }));
    }
    void aHarmlessSeamHoldsNothingThatIsShown()
    {
        StopStringMatcher matcher({ "5, 6" });
        matcher.continueFrom("5,");
        QCOMPARE(matcher.held(), std::string_view());
        QCOMPARE(matcher.push(" ").released, std::string());
        QCOMPARE(matcher.held(), std::string_view(" "));
        QCOMPARE(matcher.push("7").released, std::string(" 7"));
    }
    void withoutStopStringsEverythingPasses()
    {
        StopStringMatcher matcher({ "" });
        QCOMPARE(matcher.push("text").released, std::string("text"));
        QCOMPARE(matcher.finish(), std::string());
    }
    void anyCutIntoPiecesGivesTheSameOutcome()
    {
        std::mt19937 generator(11);
        const auto randomText = [&](size_t longest) {
            std::string text(1 + generator() % longest, 'a');
            for (char& letter : text)
                letter = char('a' + generator() % 2);
            return text;
        };
        for (int round = 0; round < 3000; ++round) {
            std::vector<std::string> stopStrings;
            for (uint32_t i = generator() % 4; i > 0; --i)
                stopStrings.push_back(randomText(6));
            const std::string text = randomText(24);
            std::vector<std::string> pieces;
            for (size_t start = 0; start < text.size();) {
                const size_t length = 1 + generator() % 5;
                pieces.push_back(text.substr(start, length));
                start += length;
            }
            const Outcome right = plainOutcome(stopStrings, text);
            const Outcome outcome = fed(StopStringMatcher(stopStrings), pieces);
            QCOMPARE(outcome.text, right.text);
            QCOMPARE(outcome.match, right.match);
        }
    }
};

QTEST_APPLESS_MAIN(TestStopStringMatcher)
#include "tst_stop_string_matcher.moc"
