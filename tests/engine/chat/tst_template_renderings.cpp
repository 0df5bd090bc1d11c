#include "tests/support/template_cases.h"

#include <QtTest>

using namespace tests;

class TestTemplateRenderings : public QObject {
    Q_OBJECT
private slots:
    void everyReferenceRenderingIsEqualToTheByte()
    {
        const auto files = templateFiles();
        if (files.empty())
            QSKIP(kNoReference);
        int equal = 0;
        int total = 0;
        for (const TemplateFile& file : files) {
            total += int(file.json["cases"].size());
            const auto chatTemplate = file.parse();
            if (!chatTemplate) {
                qWarning("%s: %s", file.name.c_str(), chatTemplate.error().message.c_str());
                continue;
            }
            for (const auto& testCase : file.json["cases"]) {
                const std::string why
                    = difference(chatTemplate->render(file.request(testCase)), testCase);
                equal += why.empty();
                if (!why.empty())
                    qWarning(
                        "%s %s: %s", file.name.c_str(), testCase["id"].dump().c_str(), why.c_str());
            }
        }
        QCOMPARE(files.size(), size_t(35));
        QCOMPARE(total, 946);
        QCOMPARE(equal, 946);
    }
};

QTEST_APPLESS_MAIN(TestTemplateRenderings)
#include "tst_template_renderings.moc"
