#pragma once

#include "app/inspection/prompt_view.h"

#include <QWidget>

namespace ui {

/// Which tint stands for whose words in a prompt: a swatch and a name for each that is there, in as
/// many lines as they need. The names are its accessible description too.
class OriginLegend : public QWidget {
    Q_OBJECT
public:
    explicit OriginLegend(QWidget* parent = nullptr);

    /// Names what is in this prompt; hidden where nothing is known.
    void setPrompt(const app::PromptView& view);
    const std::vector<app::PromptOrigin>& origins() const { return m_origins; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Where each name stands, with room for its swatch, and the height of all.
    std::vector<QRect> places(int width, int* height) const;
    void fitHeight();

    std::vector<app::PromptOrigin> m_origins;
};

} // namespace ui
