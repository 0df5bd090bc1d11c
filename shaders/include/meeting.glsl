// A barrier of all workgroups of a dispatch, for devices where all of them are seen to run at once (DeviceMeeting). Each
// workgroup is one subgroup. What was stored before a meeting is read after it, also through texel buffers when epoch is
// added to the coordinate: it is 0, but only the meeting knows.
// Waiting is bounded: the software device ends all loops of an invocation after 65,535 rounds in total, so that a round
// lasts a while, and a workgroup that waited in vain counts a failure, after which the host runs the pass another way.
// All waits of a dispatch together leave those rounds that its work needs (kMostRounds of whole_layer.cpp), and endMeetings
// counts a failure where a loop may have been ended early nonetheless.
// Needs the buffer Meeting { uint arrivals; uint failures; uint roundsTaken; }, zero before the first dispatch; roundsTaken
// is for tests: so many rounds are gone when the work begins.
const uint kMostWaitRounds = 24000;
uint epoch = 0;
uint waitRounds = 0; // of all meetings

void meet()
{
    memoryBarrierBuffer();
    uint target = 0;
    bool waits = gl_LocalInvocationID.x == 0;
    if (waits) {
        const uint before = atomicAdd(arrivals, 1u);
        target = before - before % gl_NumWorkGroups.x + gl_NumWorkGroups.x;
    }
    uint seen = target;
    float delay = 1.0;
    do {
        [[unroll]] for (int i = 0; i < 48; ++i)
            delay = sqrt(delay + float(int(waitRounds)));
        if (waits)
            seen = atomicOr(arrivals, 0u);
        ++waitRounds;
        waits = waits && int(seen - target) < 0 && delay != 123456.0 && waitRounds < kMostWaitRounds;
    } while (waits);
    const bool failed = int(seen - target) < 0;
    if (failed)
        atomicAdd(failures, 1u);
    epoch = failed ? 1u : 0u;
    memoryBarrierBuffer();
}

void startMeetings()
{
    uint round = 0;
    do
        ++round;
    while (round < roundsTaken);
    epoch = round == ~0u ? 1u : 0u; // 0, but a loop without a result would be left out
}

// After the last loop: once the rounds are used up, every loop ends after its first.
void endMeetings()
{
    uint round = 0;
    do
        ++round;
    while (round < 3 + epoch); // not a number that the compiler knows
    if (round < 3)
        atomicAdd(failures, 1u);
}
