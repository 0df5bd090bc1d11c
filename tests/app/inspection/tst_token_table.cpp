#include "app/inspection/track_table.h"
#include "app/runs/run_json.h"
#include "engine/tokenizer/utf8.h"
#include "tests/support/inspected_answer.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <cmath>

using app::TableToken;
using nlohmann::json;

namespace {
/// Reads a CSV text as RFC 4180 says, byte by byte.
std::vector<std::vector<std::string>> readCsv(const std::string& text)
{
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool isQuoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        std::string& field = rows.back().back();
        if (isQuoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            field += '"';
            ++i;
        } else if (text[i] == '"') {
            isQuoted = !isQuoted;
        } else if (!isQuoted && text[i] == ',') {
            rows.back().emplace_back();
        } else if (!isQuoted && text[i] == '\n') {
            rows.emplace_back(1);
        } else {
            field += text[i];
        }
    }
    rows.pop_back(); // after the last line feed
    return rows;
}

size_t column(const char* name)
{
    return size_t(std::ranges::find(app::kTokenTableColumns, std::string_view(name))
        - app::kTokenTableColumns.begin());
}

TableToken said(const std::string& bytes)
{
    TableToken token;
    token.bytes = bytes;
    return token;
}

/// An answer with every kind of token.
tests::InspectedAnswer sample(engine::SamplerSettings settings = {})
{
    tests::InspectedAnswer answer(std::move(settings));
    answer.say(" London", 2);
    answer.say(",", 2);
    answer.force('"');
    answer.force(0xF0);
    answer.force(tests::InspectedAnswer::kEnd);
    return answer;
}
}

class TestTokenTable : public QObject {
    Q_OBJECT
private slots:
    void theHeaderNamesEveryColumnOnce()
    {
        QCOMPARE(app::tokenTableCsv({}),
            std::string(
                "index,place,id,text,bytes,source,position,probability,logprob,rank,entropy,"
                "end_probability,draw,final_probability,dropped_by\n"));
    }

    void everyTextAndEveryByteComesBack_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("comma") << QByteArray(",");
        QTest::newRow("quotes") << QByteArray("\"\"a\"");
        QTest::newRow("backslash") << QByteArray("\\n");
        QTest::newRow("line ends") << QByteArray("\r\n\n");
        QTest::newRow("spaces") << QByteArray("  ");
        QTest::newRow("nothing") << QByteArray("");
        QTest::newRow("emoji") << QByteArray("🌟");
        QTest::newRow("half an emoji") << QByteArray("\xF0\x9F");
        QTest::newRow("a lone byte in text") << QByteArray("a\xFF,b");
        QTest::newRow("a zero") << QByteArray("\0x", 2);
        QTest::newRow("a formula") << QByteArray("=1+1");
    }
    void everyTextAndEveryByteComesBack()
    {
        QFETCH(QByteArray, bytes);
        const std::vector<TableToken> tokens { said(bytes.toStdString()), said("next") };
        const auto rows = readCsv(app::tokenTableCsv(tokens));
        QCOMPARE(rows.size(), size_t(3));
        for (const auto& row : rows)
            QCOMPARE(row.size(), app::kTokenTableColumns.size());
        QCOMPARE(app::bytesOfHex(rows[1][column("bytes")]), bytes.toStdString());
        const std::string text
            = json::parse('"' + rows[1][column("text")] + '"').get<std::string>();
        QCOMPARE(text, engine::toValidUtf8(bytes.toStdString()));
        const json table = json::parse(app::tokenTableJson(tokens));
        QCOMPARE(table["tokens"][0]["text"].get<std::string>(), text);
        QCOMPARE(
            app::bytesOfHex(table["tokens"][0]["bytes"].get<std::string>()), bytes.toStdString());
    }

    void theNumbersAreThoseOfTheRecords()
    {
        const tests::InspectedAnswer answer = sample();
        const app::TokenTrack track(answer.answer);
        const std::vector<TableToken> tokens = app::tableTokens(track);
        QCOMPARE(tokens.size(), track.tokens().size());
        const auto rows = readCsv(app::tokenTableCsv(tokens));
        const json table = json::parse(app::tokenTableJson(tokens))["tokens"];
        for (size_t i = 0; i < tokens.size(); ++i) {
            const auto& row = rows[i + 1];
            QCOMPARE(row[column("index")], std::to_string(i));
            QCOMPARE(row[column("id")], std::to_string(track.tokens()[i].id));
            // Both formats say the same.
            for (size_t c = 0; c < app::kTokenTableColumns.size(); ++c) {
                const json& value = table[i][app::kTokenTableColumns[c]];
                if (value.is_null())
                    QCOMPARE(row[c], std::string());
                else if (!value.is_string())
                    QCOMPARE(row[c], value.dump());
            }
            const engine::TokenRecord* record = track.record(int(i));
            if (!record)
                continue;
            QCOMPARE(std::stof(row[column("logprob")]), *record->logprob);
            QCOMPARE(std::stof(row[column("entropy")]), *record->entropy);
            QCOMPARE(std::stoi(row[column("rank")]), *record->rank);
            QCOMPARE(std::stoi(row[column("position")]), record->position);
            QVERIFY(
                std::abs(std::log(std::stod(row[column("probability")])) - double(*record->logprob))
                < 1e-6);
        }
        const json& first = table[size_t(track.promptCount())];
        QCOMPARE(first["place"], json("answer"));
        QCOMPARE(first["draw"].get<double>(), *track.record(track.promptCount())->draw);
        QVERIFY(first["final_probability"].get<double>() > 0);
        QVERIFY(first["dropped_by"].is_null());
        QCOMPARE(table.back()["text"], json("<|im_end|>"));
        QCOMPARE(table.back()["bytes"], json(""));
        QCOMPARE(table.back()["source"], json("forced"));
        QVERIFY(table.back()["draw"].is_null());
        QVERIFY(table.back()["dropped_by"].is_string()); // the sampler would not have taken it
    }

    void whatWasNotObservedIsEmptyAndNotZero()
    {
        const tests::InspectedAnswer answer = sample({ .temperature = 0 });
        const app::TokenTrack track(answer.answer);
        const json table = json::parse(app::tokenTableJson(app::tableTokens(track)))["tokens"];
        for (const char* name : { "probability", "logprob", "rank", "entropy", "end_probability",
                 "draw", "final_probability", "dropped_by" })
            QVERIFY(table[0][name].is_null());
        QCOMPARE(table[0]["place"], json("prompt"));
        const json& greedy = table[size_t(track.promptCount())];
        QVERIFY(greedy["probability"].is_number());
        QVERIFY(greedy["final_probability"].is_null() && greedy["draw"].is_null());
    }
};

QTEST_APPLESS_MAIN(TestTokenTable)
#include "tst_token_table.moc"
