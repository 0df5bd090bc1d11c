#include "engine/session/side_runs.h"

#include <algorithm>

namespace engine {

SideRuns::SideRuns(LoadedModel& model, std::vector<StartRun> starts, Surroundings surroundings)
    : m_model(model)
    , m_side(model.sideBySide())
    , m_surroundings(std::move(surroundings))
{
    for (StartRun& start : starts)
        m_members.push_back({ std::move(start) });
    for (int i = m_side ? m_side->count() : 0; i-- > 0;)
        m_freeSequences.push_back(i);
}

void SideRuns::run()
{
    if (!m_side) {
        for (Member& member : m_members)
            runAlone(member);
        return;
    }
    while (unendedCount() > 0) {
        m_surroundings.receive();
        admit();
        pass();
        m_surroundings.serveOthers();
    }
}

bool SideRuns::cancel(RunId runId, CancelledBy by)
{
    const auto member = std::ranges::find_if(m_members, [&](const Member& one) {
        return one.start.request.runId == runId && !one.hasEnded;
    });
    if (member == m_members.end())
        return false;
    if (!member->cancelled)
        member->cancelled = by;
    return true;
}

void SideRuns::cancelAll(CancelledBy by)
{
    for (Member& member : m_members)
        cancel(member.start.request.runId, by);
}

int SideRuns::unendedCount() const
{
    return int(std::ranges::count(m_members, false, &Member::hasEnded));
}

void SideRuns::makeGeneration(Member& member, Timeline& timeline)
{
    GenerationRequest request = member.start.request;
    request.pace = {}; // nobody pauses one of many
    member.generation = std::make_unique<Generation>(std::move(request),
        generationModel(m_model, timeline),
        GenerationWatch {
            .sink = m_surroundings.sink,
            .cancelled =
                [this, &member] {
                    m_surroundings.receive();
                    return member.cancelled;
                },
            .submitted = member.start.submitted,
            .trace = member.start.trace,
        });
}

void SideRuns::runAlone(Member& member)
{
    makeGeneration(member, m_model.timeline());
    member.generation->run();
    member.hasEnded = true;
}

/// Starts those that wait, as far as there are sequences, and takes up those that were put aside.
void SideRuns::admit()
{
    for (Member& member : m_members) {
        if (member.hasEnded || member.sequence >= 0)
            continue;
        if (member.cancelled)
            endWaiting(member);
        if (member.hasEnded || m_isFull || m_freeSequences.empty())
            continue;
        member.sequence = m_freeSequences.back();
        m_freeSequences.pop_back();
        if (member.generation) {
            takeStep(member, member.generation->takeUp(m_side->timeline(member.sequence)));
        } else {
            makeGeneration(member, m_side->timeline(member.sequence));
            takeStep(member, member.generation->begin());
        }
    }
}

void SideRuns::takeStep(Member& member, Generation::Step step)
{
    switch (step) {
    case Generation::Step::NeedsPass:
        return;
    case Generation::Step::NeedsRoom:
        if (!isAlone(member))
            return putAside(member);
        member.generation->failed(
            Error::outOfMemory("The KV cache has no room for this run, though no other is under way."));
        [[fallthrough]];
    case Generation::Step::Ended:
        member.hasEnded = true;
        member.generation.reset();
        m_side->release(member.sequence);
        m_freeSequences.push_back(std::exchange(member.sequence, -1));
        m_isFull = false;
    }
}

bool SideRuns::isAlone(const Member& member) const
{
    return std::ranges::none_of(m_members,
        [&](const Member& other) { return &other != &member && other.sequence >= 0; });
}

/// A cancelled one that has no sequence.
void SideRuns::endWaiting(Member& member)
{
    if (member.generation) {
        member.generation->end(*member.cancelled);
    } else {
        makeGeneration(member, m_model.timeline()); // which it will not touch
        member.generation->begin();
    }
    member.generation.reset();
    member.hasEnded = true;
}

void SideRuns::putAside(Member& member)
{
    member.generation->setAside();
    m_side->release(member.sequence);
    m_freeSequences.push_back(std::exchange(member.sequence, -1));
    m_isFull = true;
}

/// One token more for each that is under way.
void SideRuns::pass()
{
    std::vector<Member*> together;
    for (Member& member : m_members)
        if (member.sequence >= 0)
            together.push_back(&member);
    std::vector<SideBySide::Added> added;
    for (auto member = together.begin(); member != together.end();) {
        const Result<void> reserved = m_side->reserve((*member)->sequence);
        if (reserved) {
            added.push_back({ (*member)->sequence, (*member)->generation->lastToken() });
            ++member;
        } else if (reserved.error().code == ErrorCode::OutOfMemory && together.size() > 1) {
            putAside(**member);
            member = together.erase(member);
        } else {
            takeStep(**member, (*member)->generation->failed(reserved.error()));
            member = together.erase(member);
        }
    }
    if (together.empty())
        return;
    const Result<void> appended = m_side->append(added);
    // Their scores are one another's neighbours until the next pass: all choose first.
    for (Member* member : together)
        takeStep(*member,
            appended ? member->generation->afterPass() : member->generation->failed(appended.error()));
}

} // namespace engine
