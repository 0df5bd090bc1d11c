#include "app/guide/guided_trace.h"

#include <algorithm>
#include <limits>

namespace app {

namespace {
    constexpr engine::TokenId kEndId = 0; // others are 1 and more, by their place

    engine::StopSettings settingsOf(const TraceScript& script, int lengthCap)
    {
        engine::StopSettings settings { .lengthCap = lengthCap };
        if (!script.stopString.empty())
            settings.stopStrings = { script.stopString };
        settings.endTokenIds = { kEndId };
        settings.promptLength = int(script.prompt.size());
        settings.contextLength = std::numeric_limits<int>::max();
        return settings;
    }
}

GuidedTrace::GuidedTrace(TraceScript script, std::optional<int> lengthCap)
    : m_script(std::move(script))
    , m_lengthCap(std::min(lengthCap.value_or(m_script.lengthCap), m_script.lengthCap))
    , m_rules(settingsOf(m_script, m_lengthCap))
{
    askNext();
}

void GuidedTrace::step()
{
    m_question.reset();
    m_given.reset();
    TracedPass pass;
    pass.input = m_script.prompt;
    for (const TracedPass& before : m_passes)
        pass.input.push_back(before.selected);
    pass.firstComputed = m_passes.empty() ? 0 : int(pass.input.size()) - 1;
    pass.computedCount = int(pass.input.size()) - pass.firstComputed;
    pass.cacheAfter = int(pass.input.size());
    const size_t index = m_passes.size();
    const bool hasChoice = index < m_script.choices.size();
    pass.isEnd = !hasChoice && !m_script.endUnit.empty();
    pass.selected = hasChoice ? m_script.choices[index] : m_script.endUnit;
    m_selectedIds.push_back(pass.isEnd ? kEndId : engine::TokenId(index) + 1);
    m_text += m_rules.take(m_selectedIds, pass.isEnd ? std::string() : pass.selected);
    m_reason = m_rules.reached(false);
    m_passes.push_back(std::move(pass));
    if (m_reason)
        m_text += m_rules.finish();
    askNext();
}

void GuidedTrace::askNext()
{
    m_given.reset();
    m_question.reset();
    if (const auto question = questionHere()) {
        m_question = question;
        m_nextQuestion = *question + 1;
    }
}

std::optional<size_t> GuidedTrace::questionHere() const
{
    for (size_t i = m_nextQuestion; i < m_script.questions.size(); ++i)
        if (isAskedHere(m_script.questions[i]))
            return i;
    return std::nullopt;
}

bool GuidedTrace::isAskedHere(const TraceQuestion& question) const
{
    const int here = int(m_passes.size());
    if (!question.isAtEnd)
        return !m_reason && question.afterPass == here;
    return m_reason && (!question.endedBy || question.endedBy == m_reason)
        && here >= question.afterPass;
}

std::optional<TraceAsked> GuidedTrace::asked() const
{
    if (!m_question)
        return std::nullopt;
    const TraceQuestion& question = m_script.questions[*m_question];
    TraceAsked asked { question.ask, question.opens, m_given, {}, questionHere().has_value() };
    if (m_given)
        asked.answer = question.answer;
    return asked;
}

bool GuidedTrace::isWaiting() const { return m_question && !m_given; }

void GuidedTrace::give(const std::string& answer)
{
    if (isWaiting() && !answer.empty())
        m_given = answer;
}

void GuidedTrace::nextQuestion()
{
    if (m_question && m_given)
        askNext();
}

int GuidedTrace::computedWithCache() const
{
    int count = 0;
    for (const TracedPass& pass : m_passes)
        count += pass.computedCount;
    return count;
}

int GuidedTrace::computedWithoutCache() const
{
    int count = 0;
    for (const TracedPass& pass : m_passes)
        count += int(pass.input.size());
    return count;
}

} // namespace app
