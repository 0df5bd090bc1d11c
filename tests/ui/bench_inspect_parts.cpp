#include "tests/support/inspected_answer.h"
#include "ui/inspect/curve_canvas.h"
#include "ui/inspect/curve_view.h"
#include "ui/inspect/sampler_panel.h"
#include "ui/inspect/token_details.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>

#include <iostream>

/// What the parts of the inspector cost in a long answer: bench_inspect_parts [TOKENS]
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const int count = argc > 1 ? std::atoi(argv[1]) : 32000;
    tests::InspectedAnswer sample;
    for (int i = 0; i < count; ++i)
        sample.say(" day", 1);
    app::TokenTrack track(sample.answer);
    ui::CurveView view;
    view.resize(400, 200);
    view.setTrack(&track);
    view.QWidget::show();
    QPixmap target(view.canvas().size());
    const auto tell = [](const char* what, int rounds, auto work) {
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < rounds; ++i)
            work();
        std::cout << what << ": " << double(timer.nsecsElapsed()) / 1e6 / rounds << " ms\n";
    };
    std::cout << count << " tokens, " << target.width() << " pixels wide\n";
    tell("curves, repaint", 200, [&] { view.canvas().render(&target); });
    tell("curves, resize and repaint", 50, [&] {
        view.canvas().setCurves(nullptr);
        view.followTrack(false);
        view.canvas().render(&target);
    });
    tell("curves, a new track", 20, [&] { view.setTrack(&track); });
    tell("curves, one more token", 50, [&] {
        sample.say(" day", 1);
        view.followTrack(track.update());
    });
    const int last = int(track.tokens().size()) - 1;
    ui::TokenDetails details;
    details.resize(360, 900);
    details.show();
    int token = last;
    tell("details, the next token", 100, [&] {
        details.show(track, sample.answer, token--);
        QApplication::processEvents();
    });
    ui::SamplerPanel panel;
    panel.resize(360, 700);
    panel.show();
    tell("sampler panel, the next token", 100, [&] {
        panel.show(track, sample.answer, token--);
        QApplication::processEvents();
    });
    return 0;
}
