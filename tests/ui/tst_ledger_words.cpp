#include "ui/chat/ledger_words.h"

#include <QTest>

using engine::Ledger;
using engine::StopReason;
using ui::LedgerRow;
using ui::LedgerWords;
using ui::ledgerWords;

namespace {
Ledger ledgerOf(StopReason reason)
{
    Ledger ledger;
    ledger.reason = reason;
    ledger.decidingTokenIndex = 7;
    ledger.tokenCount = 8;
    ledger.lengthCap = 8;
    ledger.contextUsed = 51;
    ledger.contextLength = 8192;
    ledger.entries = {
        { StopReason::EndToken, reason == StopReason::EndToken, "not sampled" },
        { StopReason::StopString, false, "none set" },
        { StopReason::LengthCap, true, "8 of 8" },
        { StopReason::ContextFull, false, "used 51 of 8192" },
        { StopReason::ThinkingCap, false, "off" },
        { StopReason::TimeCap, false, "off" },
        { StopReason::Repetition, false, "period 1, 2 of 16 repeats" },
    };
    return ledger;
}
}

class TestLedgerWords : public QObject {
    Q_OBJECT
private slots:
    void everyReasonHasACauseOfItsOwn()
    {
        QSet<QString> causes;
        for (const engine::StopReasonInfo& info : engine::stopReasonTable()) {
            const LedgerWords words = ledgerWords(ledgerOf(info.reason), {}, {});
            QVERIFY2(!words.cause.isEmpty(), info.name);
            causes.insert(words.cause);
        }
        QCOMPARE(causes.size(), qsizetype(engine::stopReasonTable().size()));
    }
    void theCauseHasTheNumbersOfTheLedger()
    {
        Ledger ledger = ledgerOf(StopReason::LengthCap);
        QVERIFY(ledgerWords(ledger, {}, {}).cause.contains("length cap of 8 tokens"));
        ledger.reason = StopReason::EndToken;
        QVERIFY(ledgerWords(ledger, {}, "<|im_end|>").cause.contains("<|im_end|>"));
        ledger.reason = StopReason::StopString;
        ledger.stopString = "\n5";
        ledger.stopStringOffset = 12;
        const QString cause = ledgerWords(ledger, {}, {}).cause;
        QVERIFY(cause.contains(QString::fromUtf8("‘⏎5’")) && cause.contains("byte 12"));
        ledger.reason = StopReason::Repetition;
        ledger.repetition = engine::Repetition { 3, 16 };
        QVERIFY(ledgerWords(ledger, {}, {}).cause.contains("16 times the same 3"));
        ledger.reason = StopReason::Cancelled;
        for (const auto by : { engine::CancelledBy::User, engine::CancelledBy::Closing,
                 engine::CancelledBy::ModelUnloaded }) {
            ledger.cancelledBy = by;
            QCOMPARE(ledgerWords(ledger, {}, {}).cause.startsWith("You stopped"),
                by == engine::CancelledBy::User);
        }
    }
    void rowsKeepTheOrderAndTellHeldFromDecided()
    {
        const LedgerWords words = ledgerWords(ledgerOf(StopReason::EndToken), {}, {});
        QCOMPARE(words.rows.size(), size_t(7));
        QVERIFY(words.rows[0].decided && words.rows[0].held);
        QVERIFY(!words.rows[2].decided && words.rows[2].held);
        QVERIFY(!words.rows[3].held);
        QCOMPARE(words.rows[0].sentence(), QString("End token: not sampled, ended the answer"));
        QCOMPARE(words.rows[2].sentence(), QString("Length cap: 8 of 8 tokens, held too"));
        QCOMPARE(words.rows[3].sentence(), QString("Context: 51 of 8,192 tokens, did not hold"));
        QCOMPARE(words.rows[6].sentence(),
            QString("Repetition guard: period 1, 2 of 16 repeats, did not hold"));
    }
    void countersRuleAndVersionAreTold()
    {
        const LedgerWords words = ledgerWords(ledgerOf(StopReason::LengthCap), " on", {});
        QCOMPARE(words.counters,
            QString::fromUtf8("8 of at most 8 new tokens · 51 of 8,192 of the context used"));
        QVERIFY(!words.precedence.isEmpty());
        QCOMPARE(words.contract, QString("Contract version 1"));
        QCOMPARE(words.token, QString::fromUtf8("token 8, ‘ on’"));
    }
    void onlyWhatLooksAtTokensIsDecidedByOne()
    {
        for (const StopReason reason : { StopReason::EndToken, StopReason::StopString,
                 StopReason::LengthCap, StopReason::ContextFull, StopReason::Repetition })
            QVERIFY(
                ledgerWords(ledgerOf(reason), {}, {}).text().contains("Deciding token: token 8"));
        for (const StopReason reason : { StopReason::TimeCap, StopReason::Cancelled,
                 StopReason::Failed, StopReason::Interrupted })
            QVERIFY(ledgerWords(ledgerOf(reason), {}, {}).text().contains("Last token: token 8"));
    }
    void withoutATokenThereIsNoDecidingOne()
    {
        Ledger ledger = ledgerOf(StopReason::Failed);
        ledger.decidingTokenIndex.reset();
        QVERIFY(ledgerWords(ledger, {}, {}).token.isEmpty());
    }
    void aFailureHasItsError()
    {
        Ledger ledger = ledgerOf(StopReason::Failed);
        ledger.error = engine::Error::deviceLost("The driver reset the device.");
        QCOMPARE(ledgerWords(ledger, {}, {}).error, QString("The driver reset the device."));
        QVERIFY(ledgerWords(ledger, {}, {}).text().contains("The driver reset the device."));
        QVERIFY(ledgerWords(ledgerOf(StopReason::EndToken), {}, {}).error.isEmpty());
    }
    void theCopiedTextHasEveryRow()
    {
        const LedgerWords words = ledgerWords(ledgerOf(StopReason::LengthCap), " on", {});
        const QStringList lines = words.text().split('\n');
        for (const LedgerRow& row : words.rows)
            QVERIFY(lines.contains(row.sentence()));
        for (const QString& line :
            { words.cause, words.counters, words.precedence, words.contract })
            QVERIFY(lines.contains(line));
    }
    void aLedgerWithoutEntriesStillSaysWhatEndedIt()
    {
        Ledger ledger;
        ledger.reason = StopReason::Interrupted;
        const LedgerWords words = ledgerWords(ledger, {}, {});
        QCOMPARE(words.rows.size(), size_t(1));
        QVERIFY(words.rows[0].decided);
    }
};

QTEST_GUILESS_MAIN(TestLedgerWords)
#include "tst_ledger_words.moc"
