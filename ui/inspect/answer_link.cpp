#include "ui/inspect/answer_link.h"

#include "ui/inspect/token_strip.h"

namespace ui {

AnswerLink::AnswerLink(TokenStrip& strip, QObject* parent)
    : QObject(parent)
    , m_strip(strip)
{
    connect(&m_strip, &TokenStrip::hoveredChanged, this, &AnswerLink::mark);
    connect(&m_strip, &TokenStrip::currentChanged, this, [this](int token) {
        mark();
        // What moves by itself while an answer is written does not move the text.
        if (m_view && m_strip.hasFocus() && token >= 0)
            m_view->revealTint(tintOf(token));
    });
}

AnswerLink::~AnswerLink() { attach(nullptr); }

void AnswerLink::follow(AnswerView* view, bool restarts)
{
    if (view != m_view)
        attach(view);
    else if (restarts && m_view)
        m_view->tints().clear();
    if (restarts || !m_view)
        m_givenCount = 0;
    giveTints();
    mark();
}

void AnswerLink::attach(AnswerView* view)
{
    if (m_view) {
        m_view->tints().clear();
        m_view->surface().setTintMarks(-1, -1);
        m_view->surface().disconnect(this);
    }
    m_view = view;
    m_givenCount = 0;
    if (!view)
        return;
    view->tints().clear();
    connect(&view->surface(), &TextSurface::tintPointedAt, this,
        [this](int tint) { m_strip.setHovered(tokenOf(tint)); });
    connect(&view->surface(), &TextSurface::tintClicked, this,
        [this](int tint) { m_strip.setCurrent(tokenOf(tint)); });
}

void AnswerLink::giveTints()
{
    const app::TokenTrack* track = m_strip.track();
    if (!m_view || !track)
        return;
    std::vector<ByteTint> tints;
    const auto& tokens = track->tokens();
    for (size_t i = size_t(track->promptCount()) + m_givenCount; i < tokens.size(); ++i) {
        const TokenTint tint = m_strip.colours().tintOf(*track, int(i));
        tints.push_back({ tokens[i].text, m_strip.colours().colour(tint),
            TokenColours::underlineHeight(tint) });
    }
    m_givenCount += tints.size();
    if (!tints.empty())
        m_view->tints().append(tints);
}

void AnswerLink::mark()
{
    if (m_view)
        m_view->surface().setTintMarks(tintOf(m_strip.current()), tintOf(m_strip.hovered()));
}

int AnswerLink::tokenOf(int tint) const
{
    return tint < 0 || !m_strip.track() ? -1 : tint + m_strip.track()->promptCount();
}

int AnswerLink::tintOf(int token) const
{
    const int first = m_strip.track() ? m_strip.track()->promptCount() : 0;
    return token < first ? -1 : token - first;
}

} // namespace ui
