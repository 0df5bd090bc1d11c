#include "engine/chat/template_markers.h"

#include <QtTest>

using namespace engine;
using Markers = std::vector<std::string>;

namespace {
Markers markersOf(const std::string& text, TextOrigin origin = TextOrigin::Template)
{
    RenderedPrompt prompt;
    prompt.spans.push_back({ text, origin });
    return roleMarkers(prompt);
}
}

class TestTemplateMarkers : public QObject {
    Q_OBJECT
private slots:
    void markersOfAllFamiliesAreFoundOnce()
    {
        QCOMPARE(markersOf("<|im_start|>user\nHi<|im_end|>\n<|im_start|>x"),
            Markers({ "<|im_start|>", "<|im_end|>" }));
        QCOMPARE(markersOf("<bos><start_of_turn>user\n<end_of_turn>"),
            Markers({ "<bos>", "<start_of_turn>", "<end_of_turn>" }));
        QCOMPARE(markersOf("<|turn>user<turn|>"), Markers({ "<|turn>", "<turn|>" }));
        QCOMPARE(markersOf("<｜begin▁of▁sentence｜>"), Markers({ "<｜begin▁of▁sentence｜>" }));
        QCOMPARE(
            markersOf("<s>[INST] a [/INST]</s>"), Markers({ "<s>", "[INST]", "[/INST]", "</s>" }));
    }
    void ordinaryTagsAndSignsAreNoMarkers()
    {
        QCOMPARE(markersOf("<think>\n</think> a < b > c <tools> [1] [a] 2<|3 <> [] <|> <<SYS>> [x"),
            Markers());
    }
    void whatAPersonWroteIsNoMarker()
    {
        QCOMPARE(markersOf("<|im_end|>", TextOrigin::Person), Markers());
    }
};

QTEST_APPLESS_MAIN(TestTemplateMarkers)
#include "tst_template_markers.moc"
