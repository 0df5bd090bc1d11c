#include "app/storage/token_blob.h"
#include "tests/app/storage/store_samples.h"

#include <cmath>
#include <limits>

class TestTokenBlob : public QObject {
    Q_OBJECT
private slots:
    void everyFieldComesBackAsItWas();
    void whatWasNotObservedStaysAbsent();
    void oddNumbersKeepTheirBits();
    void bytesOfOlderFilesMeanTheSame();
    void brokenBytesAreAnErrorAndNeverACrash();
    void whatAForkKeptComesBackAsItWas();
    void idsComeBackAsTheyWere();
};

void TestTokenBlob::everyFieldComesBackAsItWas()
{
    for (const int count : { 0, 1, 64 }) {
        const auto tokens = tests::sampleTokens(count);
        const auto read = app::tokensIn(app::tokenBlob(tokens));
        VERIFY_OK(read);
        QVERIFY(*read == tokens);
    }
}

void TestTokenBlob::whatWasNotObservedStaysAbsent()
{
    engine::TokenRecord token;
    token.top.push_back({});
    const auto read = app::tokensIn(app::tokenBlob(std::vector { token }));
    VERIFY_OK(read);
    QCOMPARE(read->size(), size_t(1));
    QVERIFY(!read->front().logprob && !read->front().rank && !read->front().draw);
    QVERIFY(!read->front().top.front().finalProbability);
    QVERIFY(read->front() == token);
}

void TestTokenBlob::oddNumbersKeepTheirBits()
{
    for (const float number : { 0.1F, -0.0F, 1.0F, std::numeric_limits<float>::denorm_min(),
             std::numeric_limits<float>::max(), -std::numeric_limits<float>::infinity(),
             std::numeric_limits<float>::quiet_NaN() }) {
        engine::TokenRecord token;
        token.logprob = number;
        token.draw = std::nextafter(double(number), 1.0);
        const auto read = app::tokensIn(app::tokenBlob(std::vector { token }));
        VERIFY_OK(read);
        const engine::TokenRecord& back = read->front();
        QCOMPARE(std::isnan(*back.logprob), std::isnan(number));
        if (!std::isnan(number)) {
            QVERIFY(*back.logprob == number && *back.draw == *token.draw);
            QCOMPARE(std::signbit(*back.logprob), std::signbit(number));
        }
    }
}

// The numbers of enums and the order of fields are the file format.
void TestTokenBlob::bytesOfOlderFilesMeanTheSame()
{
    engine::TokenRecord token;
    token.id = 7;
    token.bytes = "\xff";
    token.source = engine::TokenSource::Edited;
    token.position = 3;
    token.logprob = -0.5F;
    token.rank = 2;
    token.top = { { 7, -0.5F, 0.25F, engine::SamplerStage::None },
        { 8, -1.0F, {}, engine::SamplerStage::Draw } };
    token.draw = 0.75;
    token.chunk = 1;
    const QByteArray written = QByteArray::fromHex("82018c0741ff0403fabf000000f602f6f6"
                                                   "828407fabf000000fa3e80000000"
                                                   "8408fabf800000f607fa3f40000001");
    const auto readOld = app::tokensIn(written); // version 1 had no times
    VERIFY_OK(readOld);
    QVERIFY(readOld->front() == token);
    token.decidedMs = 0.5;
    const QByteArray withTimes = QByteArray::fromHex("82028e0741ff0403fabf000000f602f6f6"
                                                     "828407fabf000000fa3e80000000"
                                                     "8408fabf800000f607fa3f40000001fa3f000000f6");
    QCOMPARE(app::tokenBlob(std::vector { token }).toHex(), withTimes.toHex());
    const auto read = app::tokensIn(withTimes);
    VERIFY_OK(read);
    QVERIFY(read->front() == token);
}

void TestTokenBlob::brokenBytesAreAnErrorAndNeverACrash()
{
    const QByteArray blob = app::tokenBlob(tests::sampleTokens(2));
    for (qsizetype length = 0; length < blob.size(); ++length)
        QVERIFY(!app::tokensIn(blob.left(length)));
    for (qsizetype i = 0; i < blob.size(); ++i) {
        QByteArray changed = blob;
        changed[i] = char(~changed[i]);
        (void)app::tokensIn(changed); // a value or an error
    }
    QVERIFY(!app::tokensIn(QByteArray::fromHex("8103")));
    QCOMPARE(app::tokensIn(QByteArray("x")).error().code, engine::ErrorCode::BadFile);
}

void TestTokenBlob::whatAForkKeptComesBackAsItWas()
{
    for (const int count : { 1, 2, 7 }) {
        const app::KeptTokens kept = tests::sampleKept(count);
        const QByteArray blob = app::keptBlob(kept);
        const auto read = app::keptIn(blob);
        VERIFY_OK(read);
        QVERIFY(*read == kept);
        for (qsizetype length = 0; length < blob.size(); ++length)
            QVERIFY(!app::keptIn(blob.left(length)));
    }
    QVERIFY(!app::keptIn(app::tokenBlob(tests::sampleTokens(2))));
}

void TestTokenBlob::idsComeBackAsTheyWere()
{
    const std::vector<engine::TokenId> ids { 0, 1, 262144, 0x7fffffff, -1 };
    QCOMPARE(app::idsIn(app::idBlob(ids)), ids);
    QVERIFY(app::idsIn({}).empty());
    QCOMPARE(app::idsIn(app::idBlob(ids).left(7)).size(), size_t(1));
}

QTEST_GUILESS_MAIN(TestTokenBlob)
#include "tst_token_blob.moc"
