#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// Chooses a token from a row of scores and tells what was seen; the row of the next decode step and the random counter
// are moved on. The best scores are taken one by one, ties to the lower id: the best group, its best block, its best
// score; then top-k, top-p, min-p, temperature and draw over them.
// Bindings: 0 scores f32x4, 1 block maxima f32 (scan_scores; lowered as scores are taken), 2 groups f32x4 (scan_scores),
// 3 settings u32x4 (engine/sampling/choose_token.cpp), 4 end ids u32, 5 counter u32[2],
// 6 rows (token, position, table, -) u32, 7 results [slots][64] u32 (step_result.h), 8 candidates [slots][64][2] u32.
// One workgroup = one subgroup = one row. A lane owns the groups, blocks and candidates lane, lane + lanes, ...
// Spec constants: 0 lanes (= subgroup size), 1 groups a lane owns at most, 2 candidates a lane owns at most.
// Sums in f32: per lane in order, then across the subgroup. Reference: Sampler, uniformDraw.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kGroupSlots = 8;
layout(constant_id = 2) const int kCandidateSlots = 8;
layout(push_constant) uniform Shape {
    uint firstTexel;
    uint scoreCount;
    uint groupCount;
    uint endCount;
    uint slot; // of results and candidates
    uint rowWord; // where the row begins in rows
} shape;
layout(binding = 0) uniform textureBuffer Scores;
layout(binding = 1) buffer Blocks { float blocks[]; };
layout(binding = 2) uniform textureBuffer Groups;
layout(binding = 3) uniform utextureBuffer Settings;
layout(binding = 4) uniform utextureBuffer EndIds;
layout(binding = 5) buffer Counter { uint counter[]; };
layout(binding = 6) buffer Rows { uint rows[]; };
layout(binding = 7) buffer Results { uint results[]; };
layout(binding = 8) buffer Candidates { uint candidates[]; };

uint firstTexel() { return shape.firstTexel; }
uint scoreCount() { return shape.scoreCount; }
#include "scores.glsl"

const uint kMostCandidates = 64;
const uint kTop = 20;
const uint kResultWords = 64;
const uint kNone = 0xFFFFFFFF;
// Wider than what sums of at most 64 float weights can be off, relative to the whole.
const float kDoubt = 2e-5;

// 64-bit integers as (low, high).
uvec2 add64(uvec2 a, uvec2 b)
{
    uint carry;
    const uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}
uvec2 mul64(uvec2 a, uvec2 b)
{
    uint high;
    uint low;
    umulExtended(a.x, b.x, high, low);
    return uvec2(low, high + a.x * b.y + a.y * b.x);
}
uvec2 xorShifted(uvec2 a, int count)
{
    return a ^ uvec2((a.x >> count) | (a.y << (32 - count)), a.y >> count);
}
// The finaliser of uniformDraw.
uvec2 mixed(uvec2 bits)
{
    bits = mul64(xorShifted(bits, 30), uvec2(0x1CE4E5B9, 0xBF58476D));
    bits = mul64(xorShifted(bits, 27), uvec2(0x133111EB, 0x94D049BB));
    return xorShifted(bits, 31);
}

void main()
{
    const uint lanes = gl_WorkGroupSize.x;
    const uint lane = gl_LocalInvocationID.x;
    const uvec4 stages = texelFetch(Settings, 0); // top-k, top-p, log of min-p, 1 / temperature; top-k 0: greedy
    const bool greedy = stages.x == 0;
    const float topP = uintBitsToFloat(stages.y);
    const float logMinP = uintBitsToFloat(stages.z);
    const float coldness = uintBitsToFloat(stages.w);

    // The whole row.
    float groupLargest[kGroupSlots];
    float best = kLowest;
    float fault = 0.0;
    [[unroll]] for (int i = 0; i < kGroupSlots; ++i) {
        const uint g = i * lanes + lane;
        vec4 group = vec4(kLowest, 0.0, 0.0, 0.0);
        if (g < shape.groupCount)
            group = texelFetch(Groups, int(g));
        groupLargest[i] = group.x;
        best = max(best, group.x);
        fault = max(fault, group.w);
    }
    best = subgroupMax(best);
    fault = subgroupMax(fault);
    float mass = 0.0;
    float weighted = 0.0;
    [[unroll]] for (int i = 0; i < kGroupSlots; ++i) {
        const uint g = i * lanes + lane;
        if (g < shape.groupCount) {
            const vec4 group = texelFetch(Groups, int(g));
            const float d = max(group.x - best, kLeast);
            const float share = exp(d);
            mass += share * group.y;
            weighted += share * (group.z + d * group.y);
        }
    }
    mass = subgroupAdd(mass);
    weighted = subgroupAdd(weighted);
    float endMass = 0.0;
    for (uint i = lane; i < shape.endCount; i += lanes) {
        const uint id = texelFetch(EndIds, int(i)).x;
        endMass += exp(max(scoresAt(id / 4)[id % 4] - best, kLeast));
    }
    endMass = subgroupAdd(endMass);

    // The best scores, in order: what is left comes after the last one taken, (lastScore, lastId).
    const uint wanted = min(greedy ? kTop : max(kTop, stages.x), shape.scoreCount);
    const uint candidateStart = shape.slot * kMostCandidates * 2;
    const uint resultStart = shape.slot * kResultWords;
    float lastScore = kLowest;
    uint lastId = 0;
    for (uint taken = 0; taken < wanted; ++taken) {
        float score = kLowest;
        [[unroll]] for (int i = 0; i < kGroupSlots; ++i)
            score = max(score, groupLargest[i]);
        score = subgroupMax(score);
        uint group = kNone;
        [[unroll]] for (int i = kGroupSlots - 1; i >= 0; --i)
            if (groupLargest[i] == score)
                group = i * lanes + lane;
        group = min(subgroupMin(group), shape.groupCount - 1); // what is not finite may equal nothing

        const uint firstBlock = group * kGroupBlocks;
        uint block = kNone;
        for (uint b = lane; b < kGroupBlocks; b += lanes)
            if (blocks[firstBlock + b] == score)
                block = min(block, b);
        block = firstBlock + min(subgroupMin(block), kGroupBlocks - 1);

        const uint firstFree = taken > 0 && score == lastScore ? lastId + 1 : 0;
        uint id = kNone;
        for (uint t = lane; t < kBlockTexels; t += lanes) {
            const uint texel = block * kBlockTexels + t;
            const vec4 s = scoresAt(texel);
            [[unroll]] for (int c = 3; c >= 0; --c)
                if (s[c] == score && texel * 4 + c >= firstFree)
                    id = min(id, texel * 4 + c);
        }
        id = min(subgroupMin(id), shape.scoreCount - 1);

        // What is left of the block and of the group.
        float blockLeft = kLowest;
        for (uint t = lane; t < kBlockTexels; t += lanes) {
            const uint texel = block * kBlockTexels + t;
            const vec4 s = scoresAt(texel);
            [[unroll]] for (int c = 0; c < 4; ++c)
                if (s[c] < score || (s[c] == score && texel * 4 + c > id))
                    blockLeft = max(blockLeft, s[c]);
        }
        blockLeft = subgroupMax(blockLeft);
        float groupLeft = kLowest;
        for (uint b = lane; b < kGroupBlocks; b += lanes) {
            if (firstBlock + b == block)
                blocks[block] = blockLeft;
            groupLeft = max(groupLeft, blocks[firstBlock + b]);
        }
        groupLeft = subgroupMax(groupLeft);
        [[unroll]] for (int i = 0; i < kGroupSlots; ++i)
            if (i * lanes + lane == group)
                groupLargest[i] = groupLeft;

        if (lane == taken % lanes) {
            candidates[candidateStart + taken * 2] = id;
            candidates[candidateStart + taken * 2 + 1] = floatBitsToUint(score);
            if (taken < kTop) {
                results[resultStart + taken * 2] = id;
                results[resultStart + taken * 2 + 1] = floatBitsToUint(score);
            }
        }
        lastScore = score;
        lastId = id;
    }

    // The stages. All sums and counts run over candidates in order, those of a slot side by side.
    const uint afterTopK = min(stages.x, shape.scoreCount);
    float scores[kCandidateSlots];
    [[unroll]] for (int i = 0; i < kCandidateSlots; ++i) {
        scores[i] = kLowest;
        if (i * lanes + lane < wanted)
            scores[i] = uintBitsToFloat(candidates[candidateStart + (i * lanes + lane) * 2 + 1]);
    }
    bool doubt = false;
    float total = 0.0;
    [[unroll]] for (int i = 0; i < kCandidateSlots; ++i)
        total += i * lanes + lane < afterTopK ? exp(max(scores[i] - best, kLeast)) : 0.0;
    total = subgroupAdd(total);
    uint afterTopP = afterTopK;
    if (topP < 1.0) {
        float before = 0.0;
        uint kept = 0;
        [[unroll]] for (int i = 0; i < kCandidateSlots; ++i) {
            const uint index = i * lanes + lane;
            const float weight = index < afterTopK ? exp(max(scores[i] - best, kLeast)) : 0.0;
            const float sum = before + subgroupExclusiveAdd(weight);
            if (index < afterTopK) {
                kept += index == 0 || sum < topP * total ? 1 : 0;
                doubt = doubt || (index > 0 && abs(sum - topP * total) < kDoubt * total);
            }
            before += subgroupAdd(weight);
        }
        afterTopP = subgroupAdd(kept);
    }
    uint afterMinP = afterTopP;
    if (logMinP > kLowest) {
        const float lowest = best + logMinP;
        uint kept = 0;
        [[unroll]] for (int i = 0; i < kCandidateSlots; ++i) {
            const uint index = i * lanes + lane;
            if (index < afterTopP) {
                kept += index == 0 || scores[i] >= lowest ? 1 : 0;
                const float size = abs(best) + abs(logMinP) + abs(scores[i]);
                doubt = doubt || (index > 0 && abs(scores[i] - lowest) <= 1e-6 * size);
            }
        }
        afterMinP = subgroupAdd(kept);
    }
    const uvec2 count = uvec2(counter[0], counter[1]);
    const float uniformNumber = float(mixed(count).y >> 8) * 5.9604644775390625e-8; // its first 24 bits
    total = 0.0;
    [[unroll]] for (int i = 0; i < kCandidateSlots; ++i)
        total += i * lanes + lane < afterMinP ? exp(max((scores[i] - best) * coldness, kLeast)) : 0.0;
    total = subgroupAdd(total);
    float before = 0.0;
    uint passed = 0;
    [[unroll]] for (int i = 0; i < kCandidateSlots; ++i) {
        const uint index = i * lanes + lane;
        const float weight = index < afterMinP ? exp(max((scores[i] - best) * coldness, kLeast)) : 0.0;
        const float sum = before + subgroupInclusiveAdd(weight);
        if (index + 1 < afterMinP) { // the last one takes what is left
            passed += sum <= uniformNumber * total ? 1 : 0;
            doubt = doubt || abs(sum - uniformNumber * total) < kDoubt * total;
        }
        before += subgroupAdd(weight);
    }
    const uint chosen = greedy ? 0 : subgroupAdd(passed);
    const bool anyDoubt = subgroupMax(doubt && !greedy ? 1u : 0u) != 0;

    barrier(); // every lane has read the counter
    if (lane == chosen % lanes) {
        const uint id = candidates[candidateStart + chosen * 2];
        results[resultStart + 40] = id;
        results[resultStart + 41] = candidates[candidateStart + chosen * 2 + 1];
        rows[shape.rowWord] = id;
    }
    if (lane == 0) {
        results[resultStart + 42] = chosen + 1;
        results[resultStart + 43] = (fault > 0.0 ? 1 : 0) | (anyDoubt ? 2 : 0);
        results[resultStart + 44] = min(kTop, shape.scoreCount);
        results[resultStart + 45] = afterTopK;
        results[resultStart + 46] = afterTopP;
        results[resultStart + 47] = afterMinP;
        results[resultStart + 48] = floatBitsToUint(mass);
        results[resultStart + 49] = floatBitsToUint(weighted);
        results[resultStart + 50] = floatBitsToUint(endMass);
        results[resultStart + 51] = floatBitsToUint(greedy ? 0.0 : total);
        const uint position = rows[shape.rowWord + 1] + 1;
        results[resultStart + 52] = position;
        rows[shape.rowWord + 1] = position;
        const uvec2 next = add64(count, uvec2(0x7F4A7C15, 0x9E3779B9));
        counter[0] = next.x;
        counter[1] = next.y;
    }
}
