#include "engine/kernels/tile_shape.h"

#include "engine/kernels/weight_layout.h"

#include <QtTest>

using namespace engine;

class TestTileShape : public QObject {
    Q_OBJECT
private slots:
    void aWorkgroupTakesWholePartsOfATileOnEveryDevice()
    {
        for (const uint32_t lanes : { 4u, 8u, 16u, 32u, 64u })
            for (uint32_t tiles = 1; tiles < 70; ++tiles)
                for (uint32_t tokens = 1; tokens < 10; ++tokens) {
                    const TileShape shape = chooseTileShape(tiles, lanes, tokens);
                    QVERIFY(shape.rowsPerLane >= 1);
                    QVERIFY(shape.tokens >= 1);
                    // Rows of a workgroup lie in one tile, and tiles have no rows left over.
                    QVERIFY2(kTileRows % (shape.rowsPerLane * lanes) == 0,
                        qPrintable(QString("%1 lanes, %2 tiles: %3 rows a lane")
                                       .arg(lanes)
                                       .arg(tiles)
                                       .arg(shape.rowsPerLane)));
                }
    }
    void aDecodeStepTakesOneTokenAndAChunkSeveral()
    {
        QCOMPARE(chooseTileShape(24, 8, 1).tokens, 1u);
        for (uint32_t tokens = 2; tokens < 70; ++tokens) {
            QVERIFY(chooseTileShape(24, 8, tokens).tokens > 1);
            // One pipeline serves every chunk: the host makes two for each matrix.
            QCOMPARE(chooseTileShape(24, 8, tokens), chooseTileShape(24, 8, 2));
        }
    }
};

QTEST_APPLESS_MAIN(TestTileShape)
#include "tst_tile_shape.moc"
