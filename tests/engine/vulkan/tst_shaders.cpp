#include "all_shaders.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

class TestShaders : public QObject {
    Q_OBJECT
private slots:
    void everyShaderIsValidSpirvForVulkan12_data()
    {
        QTest::addColumn<int>("index");
        for (size_t i = 0; i < tests::allShaders().size(); ++i)
            QTest::newRow(tests::allShaders()[i].name) << int(i);
    }
    void everyShaderIsValidSpirvForVulkan12()
    {
        QFETCH(int, index);
        const std::span<const uint32_t> code = tests::allShaders()[size_t(index)].code;
        QFile file(m_folder.filePath("shader.spv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(code.data()), qint64(code.size_bytes()));
        file.close();
        QProcess validator;
        validator.start(SPIRV_VAL, { "--target-env", "vulkan1.2", file.fileName() });
        QVERIFY2(validator.waitForFinished(), qPrintable(validator.errorString()));
        QVERIFY2(validator.exitCode() == 0, validator.readAllStandardError().constData());
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestShaders)
#include "tst_shaders.moc"
