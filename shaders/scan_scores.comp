#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// What choose_token needs to know of a row of scores: the largest score of each block of 64 scores, and of each group of
// 64 blocks its largest score, its mass (sum of exp(d), d = score - largest of the group) and its sum of exp(d) * d.
// Bindings: 0 scores f32x4, 1 block maxima [groups * 64] f32, 2 groups [groups] (largest, mass, weighted, fault) f32x4
// as f32; fault is 1 where a score is not finite. Blocks past the last score hold the lowest float.
// One workgroup = one subgroup = one group; a lane takes the blocks lane, lane + lanes, ...
// Spec constants: 0 lanes (= subgroup size). Sums in f32: per block, per lane in order of blocks, then across the subgroup.
// Reference: scanMaxima, scanMass.
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Shape { uint firstTexel; uint scoreCount; } shape;
layout(binding = 0) uniform textureBuffer Scores;
layout(binding = 1) buffer Blocks { float blocks[]; };
layout(binding = 2) buffer Groups { float groups[]; };

uint firstTexel() { return shape.firstTexel; }
uint scoreCount() { return shape.scoreCount; }
#include "scores.glsl"

void main()
{
    const uint firstBlock = gl_WorkGroupID.x * kGroupBlocks;
    float largest = kLowest;
    uint magnitude = 0;
    for (uint b = gl_LocalInvocationID.x; b < kGroupBlocks; b += gl_WorkGroupSize.x) {
        vec4 best = vec4(kLowest);
        uvec4 bits = uvec4(0);
        for (uint i = 0; i < kBlockTexels; ++i) {
            const vec4 s = scoresAt((firstBlock + b) * kBlockTexels + i);
            best = max(best, s);
            bits = max(bits, floatBitsToUint(s) & 0x7FFFFFFF);
        }
        const float blockLargest = max(max(best.x, best.y), max(best.z, best.w));
        blocks[firstBlock + b] = blockLargest;
        largest = max(largest, blockLargest);
        magnitude = max(magnitude, max(max(bits.x, bits.y), max(bits.z, bits.w)));
    }
    largest = subgroupMax(largest);
    magnitude = subgroupMax(magnitude);

    float mass = 0.0;
    float weighted = 0.0;
    for (uint b = gl_LocalInvocationID.x; b < kGroupBlocks; b += gl_WorkGroupSize.x) {
        vec4 blockMass = vec4(0.0);
        vec4 blockWeighted = vec4(0.0);
        for (uint i = 0; i < kBlockTexels; ++i) {
            const uint texel = (firstBlock + b) * kBlockTexels + i;
            const vec4 d = max(scoresAt(texel) - largest, vec4(kLeast));
            vec4 w = exp(d);
            if (texel * 4 + 3 >= shape.scoreCount) // the lowest float may itself be the largest score
                w = mix(w, vec4(0.0), greaterThanEqual(uvec4(texel * 4) + uvec4(0, 1, 2, 3), uvec4(shape.scoreCount)));
            blockMass += w;
            blockWeighted += w * d;
        }
        mass += (blockMass.x + blockMass.y) + (blockMass.z + blockMass.w);
        weighted += (blockWeighted.x + blockWeighted.y) + (blockWeighted.z + blockWeighted.w);
    }
    mass = subgroupAdd(mass);
    weighted = subgroupAdd(weighted);
    if (gl_LocalInvocationID.x == 0) {
        const uint at = gl_WorkGroupID.x * 4;
        groups[at] = largest;
        groups[at + 1] = mass;
        groups[at + 2] = weighted;
        groups[at + 3] = magnitude >= 0x7F800000 ? 1.0 : 0.0;
    }
}
