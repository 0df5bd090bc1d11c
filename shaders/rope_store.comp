#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_GOOGLE_include_directive : require
// Normalises (optionally) and rotates the heads of q and k; stores q as rows, k and v into their page of the KV cache.
// Bindings: 0 qkv [tokens][qkvStride] f32, 1 rows [tokens] (token, position, table, -) u32x4, 2 block tables u32,
// 3 fine and 4 coarse rotation tables [256 or n][pairs] (cos, sin) f32x2, 5 norm weights [2][headDim] f32 (q, k),
// 6 q [tokens][heads * headDim] f32, 7 keys, 8 values: pages of one layer (engine/kernels/README.md), f16.
// One workgroup = one subgroup = one head of one token: q heads first, then k heads, then v heads.
// Spec constants: 0 lanes, 1 pairs (headDim / 2), 3 q/k-norm, 5 positions of a page. Pairs are (i, i + headDim / 2):
// rows are permuted at load where the file interleaves them. Reference: rmsNormHeads, rope.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kPairs = 32;
layout(constant_id = 3) const bool kHeadNorm = false;
layout(constant_id = 5) const int kPagePositions = 64;
layout(push_constant) uniform Shape {
    uint headCount;
    uint kvHeadCount;
    uint qkvStride; // floats
    uint kOffset; // floats from the start of a row of qkv
    uint vOffset;
    uint qStride; // floats
    float epsilon;
} shape;
layout(binding = 0) uniform textureBuffer Qkv;
layout(binding = 1) uniform utextureBuffer Rows;
layout(binding = 2) uniform utextureBuffer Tables;
layout(binding = 3) uniform textureBuffer Fine;
layout(binding = 4) uniform textureBuffer Coarse;
layout(binding = 5) uniform textureBuffer NormWeight;
layout(binding = 6) buffer Q { float q[]; };
layout(binding = 7) buffer Keys { float16_t keys[]; };
layout(binding = 8) buffer Values { float16_t values[]; };
const uint epoch = 0;
#include "rope_head.glsl"

void main() { storeHead(gl_WorkGroupID.x, gl_WorkGroupID.y); }
