#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_16bit_storage : require
// Normalises (optionally) and rotates the heads of q and k; stores q as rows, k and v into their page of the KV cache.
// Bindings: 0 qkv [tokens][qkvStride] f32, 1 rows [tokens] (token, position, table, -) u32x4, 2 block tables u32,
// 3 fine and 4 coarse rotation tables [256 or n][pairs] (cos, sin) f32x2, 5 norm weights [2][headDim] f32 (q, k),
// 6 q [tokens][heads * headDim] f32, 7 keys, 8 values: pages of one layer (engine/kernels/README.md), f16.
// One workgroup = one subgroup = one head of one token: q heads first, then k heads, then v heads.
// Spec constants: 0 lanes, 1 pairs (headDim / 2), 3 q/k-norm, 5 positions of a page. Pairs are (i, i + headDim / 2):
// rows are permuted at load where the file interleaves them. Reference: rmsNormHeads, rope.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kPairs = 32;
layout(constant_id = 3) const bool kNorm = false;
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

void main()
{
    const uint head = gl_WorkGroupID.x;
    const uint token = gl_WorkGroupID.y;
    const uint kHead = head - shape.headCount; // meaningful from headCount on
    const uint headDim = 2 * kPairs;
    const uvec4 row = texelFetch(Rows, int(token));
    const uint position = row.y;
    const uint page = texelFetch(Tables, int(row.z + position / kPagePositions)).x;
    const uint slot = position % kPagePositions;

    if (head >= shape.headCount + shape.kvHeadCount) {
        const uint vHead = kHead - shape.kvHeadCount;
        const uint source = token * shape.qkvStride + shape.vOffset + vHead * headDim;
        const uint first = (page * shape.kvHeadCount + vHead) * (headDim / 8);
        for (uint d = gl_LocalInvocationID.x; d < headDim; d += gl_WorkGroupSize.x)
            values[((first + d / 8) * kPagePositions + slot) * 8 + d % 8]
                = float16_t(texelFetch(Qkv, int(source + d)).x);
        return;
    }

    const bool isKey = head >= shape.headCount;
    const uint source = token * shape.qkvStride + (isKey ? shape.kOffset + kHead * headDim : head * headDim);
    float factor = 1.0;
    if (kNorm) {
        float squares = 0.0;
        for (uint d = gl_LocalInvocationID.x; d < headDim; d += gl_WorkGroupSize.x) {
            const float v = texelFetch(Qkv, int(source + d)).x;
            squares += v * v;
        }
        factor = 1.0 / sqrt(subgroupAdd(squares) / float(int(headDim)) + shape.epsilon);
    }
    for (uint i = gl_LocalInvocationID.x; i < kPairs; i += gl_WorkGroupSize.x) {
        float a = texelFetch(Qkv, int(source + i)).x;
        float b = texelFetch(Qkv, int(source + kPairs + i)).x;
        if (kNorm) {
            const uint weight = isKey ? headDim : 0;
            a = a * factor * texelFetch(NormWeight, int(weight + i)).x;
            b = b * factor * texelFetch(NormWeight, int(weight + kPairs + i)).x;
        }
        const vec2 fine = texelFetch(Fine, int((position % 256) * kPairs + i)).xy;
        const vec2 coarse = texelFetch(Coarse, int((position / 256) * kPairs + i)).xy;
        const float c = coarse.x * fine.x - coarse.y * fine.y;
        const float s = coarse.x * fine.y + coarse.y * fine.x;
        const float ra = a * c - b * s;
        const float rb = b * c + a * s;
        if (isKey) {
            const uint first = (page * shape.kvHeadCount + kHead) * (headDim / 8);
            const uint d = i + kPairs;
            keys[((first + i / 8) * kPagePositions + slot) * 8 + i % 8] = float16_t(ra);
            keys[((first + d / 8) * kPagePositions + slot) * 8 + d % 8] = float16_t(rb);
        } else {
            q[token * shape.qStride + head * headDim + i] = ra;
            q[token * shape.qStride + head * headDim + kPairs + i] = rb;
        }
    }
}
