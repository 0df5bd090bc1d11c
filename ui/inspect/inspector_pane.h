#pragma once

#include <QWidget>

class QTabWidget;

namespace ui {

class ElidedLabel;
class PromptTab;
class SamplerPanel;
class TimelineTab;
class TokensTab;

/// The right pane: what is known of one answer, in tabs.
class InspectorPane : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPane(QWidget* parent = nullptr);

    /// Which answer it is, in words.
    void setTitle(const QString& title);
    TokensTab& tokens() { return *m_tokens; }
    SamplerPanel& sampler() { return *m_sampler; }
    PromptTab& prompt() { return *m_prompt; }
    TimelineTab& timeline() { return *m_timeline; }
    QTabWidget& tabs() { return *m_tabs; }

private:
    void addScrolled(QWidget* part, const char* name, const QString& title);
    void showSampler(int token);

    ElidedLabel* m_title;
    QTabWidget* m_tabs;
    TokensTab* m_tokens;
    SamplerPanel* m_sampler;
    PromptTab* m_prompt;
    TimelineTab* m_timeline;
};

} // namespace ui
