#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// Causal attention of one token over one split of its context (two pages, at a fixed place), for kHeads heads that
// share a kv head: weighted sums of values, the largest score and the sum of weights. A lane is a position.
// Bindings: 0 q [tokens][qStride] f32x4, 1 rows (token, position, table, -) u32x4, 2 block tables u32,
// 3 keys and 4 values: pages of one layer, texels of 8 halves (engine/kernels/README.md),
// 5 partial [tokens][heads][splits][headDim + 2] f32: sums, then largest score, then sum of weights,
// 6 attended [tokens][attendedStride] f32: where the one split is the whole context, the result goes there at once.
// One workgroup = one subgroup; x = kv head and tile of its heads, y = split, z = token.
// Spec constants: 0 lanes, 1 kHeads, 2 vectors of a page (page positions / lanes). Sums in f32. Reference: attention.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kHeads = 3;
layout(constant_id = 2) const int kVectors = 8;
layout(push_constant) uniform Shape {
    uint kvHeadCount;
    uint groupSize; // q heads of a kv head
    uint headUnits; // headDim / 8
    uint qStride; // floats
    uint splitRoom; // room for splits in partial
    uint window; // positions seen, 0 = all
    float scale;
    uint attendedStride; // floats
    uint joined; // 1: no row has more than one split
} shape;
layout(binding = 0) uniform textureBuffer Q;
layout(binding = 1) uniform utextureBuffer Rows;
layout(binding = 2) uniform utextureBuffer Tables;
layout(binding = 3) uniform utextureBuffer Keys;
layout(binding = 4) uniform utextureBuffer Values;
layout(binding = 5) buffer Partial { float partial[]; };
layout(binding = 6) buffer Attended { float attended[]; };
const uint epoch = 0;
#include "attend_split.glsl"

void main() { attendSplit(gl_WorkGroupID.x, gl_WorkGroupID.y, gl_WorkGroupID.z, shape.joined != 0); }
