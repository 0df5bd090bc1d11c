#include "engine/sampling/sampler_settings.h"

#include <QtTest>
#include <limits>

using namespace engine;

class TestSamplerSettings : public QObject {
    Q_OBJECT
private slots:
    void theDefaultsAreFine() { QVERIFY(checkSamplerSettings({})); }
    void theEndsOfEveryRangeAreFine()
    {
        SamplerSettings settings;
        settings.topK = 0;
        settings.topP = 1;
        settings.minP = 0;
        settings.temperature = 0;
        settings.presencePenalty = -100;
        settings.frequencyPenalty = 100;
        settings.repeatPenalty = 0.01f;
        QVERIFY(checkSamplerSettings(settings));
    }
    void aSettingOutsideItsRangeIsNamed_data()
    {
        QTest::addColumn<SamplerSettings>("settings");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* name, auto change) {
            SamplerSettings settings;
            change(settings);
            QTest::newRow(name) << settings << QString(name).section(',', 0, 0);
        };
        row("temperature, negative", [](SamplerSettings& s) { s.temperature = -1; });
        row("temperature, NaN",
            [](SamplerSettings& s) { s.temperature = std::numeric_limits<float>::quiet_NaN(); });
        row("temperature, so small that scores overflow",
            [](SamplerSettings& s) { s.temperature = 1e-6f; });
        row("top-k", [](SamplerSettings& s) { s.topK = -1; });
        row("top-p", [](SamplerSettings& s) { s.topP = 1.1f; });
        row("min-p", [](SamplerSettings& s) { s.minP = -0.1f; });
        row("repeat penalty", [](SamplerSettings& s) { s.repeatPenalty = 0; });
        row("repeat window", [](SamplerSettings& s) { s.repeatWindow = -1; });
        row("presence penalty", [](SamplerSettings& s) { s.presencePenalty = 101; });
        row("frequency penalty", [](SamplerSettings& s) { s.frequencyPenalty = -101; });
        row("logit bias", [](SamplerSettings& s) {
            s.logitBias = { { 3, std::numeric_limits<float>::infinity() } };
        });
        row("token -3 is banned", [](SamplerSettings& s) { s.bannedIds = { -3 }; });
        row("logit bias, no token", [](SamplerSettings& s) { s.logitBias = { { -3, 1 } }; });
    }
    void aSettingOutsideItsRangeIsNamed()
    {
        QFETCH(SamplerSettings, settings);
        QFETCH(QString, name);
        const Result<void> result = checkSamplerSettings(settings);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::BadRequest);
        QVERIFY2(result.error().message.find(name.toStdString()) != std::string::npos,
            result.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestSamplerSettings)
#include "tst_sampler_settings.moc"
