#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// What choose_token needs to know of a row of scores: the largest score of each block of 64 scores, and of each group of
// 64 blocks its largest score, its mass (sum of exp(d), d = score - largest of the group) and its sum of exp(d) * d.
// Bindings: 0 scores f32x4, 1 block maxima [groups * 64] f32, 2 groups [groups] (largest, mass, weighted, fault) f32x4
// as f32; fault is 1 where a score is not finite. Blocks past the last score hold the lowest float.
// One workgroup = one subgroup = one group; a lane takes the blocks lane, lane + lanes, ...
// Spec constants: 0 lanes (= subgroup size). Sums in f32: per block, per lane in order of blocks (each time relative to
// the largest score so far), then across the subgroup.
// Reference: scanMaxima, scanMass.
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Shape { uint firstTexel; uint scoreCount; } shape;
layout(binding = 0) uniform textureBuffer Scores;
layout(binding = 1) buffer Blocks { float blocks[]; };
layout(binding = 2) buffer Groups { float groups[]; };

uint firstTexel() { return shape.firstTexel; }
uint scoreCount() { return shape.scoreCount; }
#include "scores.glsl"

// Two sums, each relative to its own largest score, become one relative to the larger.
void join(inout float largest, inout float mass, inout float weighted, float l, float m, float w)
{
    const float top = max(largest, l);
    const float da = max(largest - top, kLeast);
    const float db = max(l - top, kLeast);
    const float ea = exp(da);
    const float eb = exp(db);
    weighted = ea * (weighted + da * mass) + eb * (w + db * m);
    mass = ea * mass + eb * m;
    largest = top;
}

void main()
{
    const uint firstBlock = gl_WorkGroupID.x * kGroupBlocks;
    float largest = kLowest; // of the lane so far
    float mass = 0.0; // relative to it
    float weighted = 0.0;
    uint magnitude = 0;
    for (uint b = gl_LocalInvocationID.x; b < kGroupBlocks; b += gl_WorkGroupSize.x) {
        vec4 scores[kBlockTexels];
        vec4 best = vec4(kLowest);
        uvec4 bits = uvec4(0);
        [[unroll]] for (uint i = 0; i < kBlockTexels; ++i) {
            scores[i] = scoresAt((firstBlock + b) * kBlockTexels + i);
            best = max(best, scores[i]);
            bits = max(bits, floatBitsToUint(scores[i]) & 0x7FFFFFFF);
        }
        const float blockLargest = max(max(best.x, best.y), max(best.z, best.w));
        blocks[firstBlock + b] = blockLargest;
        magnitude = max(magnitude, max(max(bits.x, bits.y), max(bits.z, bits.w)));
        vec4 blockMass = vec4(0.0);
        vec4 blockWeighted = vec4(0.0);
        [[unroll]] for (uint i = 0; i < kBlockTexels; ++i) {
            const vec4 d = max(scores[i] - blockLargest, vec4(kLeast));
            const vec4 w = exp(d);
            blockMass += w;
            blockWeighted += w * d;
        }
        float m = (blockMass.x + blockMass.y) + (blockMass.z + blockMass.w);
        float w = (blockWeighted.x + blockWeighted.y) + (blockWeighted.z + blockWeighted.w);
        if (blockLargest == kLowest) { // what lies past the last score weighs nothing, even then
            const uint first = (firstBlock + b) * kBlockTexels * 4;
            m = float(min(shape.scoreCount - min(shape.scoreCount, first), kBlockTexels * 4));
            w = 0.0;
        }
        join(largest, mass, weighted, blockLargest, m, w);
    }
    magnitude = subgroupMax(magnitude);
    const float all = subgroupMax(largest);
    join(largest, mass, weighted, all, 0.0, 0.0);
    mass = subgroupAdd(mass);
    weighted = subgroupAdd(weighted);
    largest = all;
    if (gl_LocalInvocationID.x == 0) {
        const uint at = gl_WorkGroupID.x * 4;
        groups[at] = largest;
        groups[at + 1] = mass;
        groups[at + 2] = weighted;
        groups[at + 3] = magnitude >= 0x7F800000 ? 1.0 : 0.0;
    }
}
