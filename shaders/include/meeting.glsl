// A barrier of all workgroups of a dispatch, for devices where all of them are seen to run at once (DeviceMeeting). Each
// workgroup is one subgroup. What was stored before a meeting is read after it, also through texel buffers when epoch is
// added to the coordinate: it is 0, but only the meeting knows.
// Waiting is bounded: the software device ends all loops of an invocation after 65,535 rounds in total, so that a round
// lasts a while, and a workgroup that waited in vain counts a failure, after which the host runs the pass another way.
// Needs the buffer Meeting { uint arrivals; uint failures; }, zero before the first dispatch.
uint epoch = 0;

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
    uint rounds = 0;
    do {
        [[unroll]] for (int i = 0; i < 48; ++i)
            delay = sqrt(delay + float(int(rounds)));
        if (waits)
            seen = atomicOr(arrivals, 0u);
        waits = waits && int(seen - target) < 0 && delay != 123456.0;
        ++rounds;
    } while (waits);
    const bool failed = int(seen - target) < 0;
    if (failed)
        atomicAdd(failures, 1u);
    epoch = failed ? 1u : 0u;
    memoryBarrierBuffer();
}
