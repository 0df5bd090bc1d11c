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
            for (uint32_t tokens = 1; tokens < 10; ++tokens) {
                const TileShape shape = chooseTileShape(lanes, tokens);
                QVERIFY(shape.rowsPerLane >= 1);
                // Rows of a workgroup lie in one tile, and tiles have no rows left over.
                QVERIFY2(kTileRows % (shape.rowsPerLane * lanes) == 0,
                    qPrintable(QString("%1 lanes: %2 rows a lane").arg(lanes).arg(shape.rowsPerLane)));
            }
    }
    void rowsAreTheSameForAnyNumberOfTokens()
    {
        // Sums of squares lie in places that the rows of a workgroup fix.
        for (uint32_t tokens = 2; tokens < 70; ++tokens)
            QCOMPARE(chooseTileShape(8, tokens).rowsPerLane, chooseTileShape(8, 1).rowsPerLane);
    }
    void theSmallestTileThatHoldsTheTokensIsTaken()
    {
        QCOMPARE(chooseTileShape(8, 1).tokens, 1u);
        for (uint32_t tokens = 1; tokens < 70; ++tokens) {
            const size_t index = tokenTileIndex(tokens);
            QCOMPARE(chooseTileShape(8, tokens).tokens, kTokenTiles[index]);
            QVERIFY(kTokenTiles[index] >= tokens || index + 1 == kTokenTiles.size());
            QVERIFY(index == 0 || kTokenTiles[index - 1] < tokens);
        }
    }
};

QTEST_APPLESS_MAIN(TestTileShape)
#include "tst_tile_shape.moc"
