#include "tests/ui/told_answer.h"
#include "ui/inspect/token_strip.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTest>

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace {

using Clock = QElapsedTimer;

double ms(const Clock& clock) { return double(clock.nsecsElapsed()) / 1e6; }

double share(std::vector<double> values, double part)
{
    std::sort(values.begin(), values.end());
    return values[size_t(part * double(values.size() - 1))];
}

void print(const char* what, const std::vector<double>& values, const char* unit = "ms")
{
    std::cout << std::fixed << std::setprecision(3) << what << ": median " << share(values, 0.5)
              << ", p99 " << share(values, 0.99) << ", most " << share(values, 1) << ' ' << unit
              << '\n';
}

/// Words of a text, a line break now and then, and what needs marks.
std::string piece(int i)
{
    static const char* const kPieces[] = { " the", " exhibition", " opens", " on", " Monday", ",",
        " and", " it", "'s", " closed", ".\n", " für", " 19", "\xF0\x9F", "\x8C\x9F", " museum" };
    return kPieces[size_t(i) * 7919 % std::size(kPieces)];
}

}

/// What a long token strip costs: bench_token_strip [TOKENS]
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const int count = application.arguments().value(1, QStringLiteral("32000")).toInt();
    tests::ToldAnswer told;
    app::TokenTrack track(told.answer);
    ui::TokenStrip strip;
    strip.resize(1280, 800);
    strip.setTrack(&track);
    strip.show();
    QTest::qWait(100);

    // Each token as the window gets it, painted at once: the dearest way there is.
    std::vector<double> first;
    std::vector<double> last;
    for (int i = 0; i < count; ++i) {
        told.token(piece(i), 1.0 / (1 + i % 17), 1 + i % 9);
        Clock clock;
        clock.start();
        strip.takeTokens(track.update());
        QApplication::processEvents();
        if (i < 1000)
            first.push_back(ms(clock));
        else if (i >= count - 1000)
            last.push_back(ms(clock));
    }
    std::cout << count << " tokens, 1280x800\n";
    print("a token and its paint, first thousand", first);
    print("a token and its paint, last thousand", last);

    Clock clock;
    clock.start();
    strip.takeTokens(true);
    std::cout << "laying all out again: " << ms(clock) << " ms\n";

    // Steps as the wheel makes them: three lines.
    QScrollBar& bar = *strip.verticalScrollBar();
    bar.setValue(0);
    QApplication::processEvents();
    std::vector<double> steps;
    for (int i = 0; i < 500 && bar.value() < bar.maximum(); ++i) {
        clock.start();
        bar.setValue(bar.value() + 3 * bar.singleStep());
        QApplication::processEvents();
        steps.push_back(ms(clock));
    }
    print("a scroll step", steps);
    std::vector<double> whole;
    for (int i = 0; i < 200; ++i) {
        clock.start();
        strip.viewport()->repaint();
        whole.push_back(ms(clock));
    }
    print("painting all that is in view", whole);
    std::vector<double> keys;
    strip.setCurrent(int(track.tokens().size()) - 1);
    for (int i = 0; i < 300; ++i) {
        clock.start();
        QTest::keyClick(&strip, i % 30 == 29 ? Qt::Key_Up : Qt::Key_Left);
        QApplication::processEvents();
        keys.push_back(ms(clock));
    }
    print("an arrow key and its paint", keys);
    return 0;
}
