#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
// y[t][row] = activation(factor * gate[row] . x[t]) * (factor * up[row] . x[t]), factor by norm_scale.glsl; gate and up
// are one stacked matrix, up from row upOffset.
// Bindings: 0-3 weights (weights.glsl), 4 x [tokens][xStride] f32x4, 5 y [tokens][yStride] f32,
// 6 squares [tokens][squaresStride] f32x4. One workgroup = lanes x kPairs rows of gate and as many of up, for kTokens tokens.
// Spec constants: 0 lanes, 1 kPairs, 2 kTokens, 3 GELU (tanh form) instead of SiLU.
// Sums in f32, in the order of dot_rows.glsl. Reference: rmsNormRows, Weight::multiply, gated.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kPairs = 4;
layout(constant_id = 2) const int kTokens = 1;
layout(constant_id = 3) const bool kGelu = false;
const int kRows = 2 * kPairs;
layout(push_constant) uniform Shape {
    uint rowCount; // rows of gate to store
    uint groupCount;
    uint xStride;
    uint yStride;
    uint upOffset;
    uint tokenCount;
    uint squaresStride; // texels
    uint squaresUsed;
    uint columnCount;
    float epsilon;
} shape;
uint groupCount() { return shape.groupCount; }
uint xStride() { return shape.xStride; }
uint squaresStride() { return shape.squaresStride; }
uint squaresUsed() { return shape.squaresUsed; }
uint columnCount() { return shape.columnCount; }
float epsilon() { return shape.epsilon; }
uint gateRow(uint item, int r) { return (item * kPairs + r) * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
uint rowOf(uint item, int r)
{
    return r < kPairs ? gateRow(item, r) : gateRow(item, r - kPairs) + shape.upOffset;
}
#include "weights.glsl"
#include "activation.glsl"
layout(binding = 4) uniform textureBuffer X;
layout(binding = 5) buffer Y { float y[]; };
layout(binding = 6) uniform textureBuffer Squares;
const uint epoch = 0;
#include "norm_scale.glsl"
#include "dot_matrix.glsl"
#include "work_share.glsl"

void storeItem(uint item, uint firstToken)
{
    dotMatrix(item, firstToken);
    float factor[kTokens]; // before the sums are used: loops inside would keep them from being unrolled
    [[unroll]] for (int t = 0; t < kTokens; ++t)
        factor[t] = normFactor(firstToken + t);
    [[unroll]] for (int r = 0; r < kPairs; ++r) {
        const uint row = gateRow(item, r);
        if (row >= shape.rowCount)
            continue;
        [[unroll]] for (int t = 0; t < kTokens; ++t) {
            if (firstToken + t >= shape.tokenCount)
                continue;
            const float gate = factor[t] * sums[r * kTokens + t];
            const float up = factor[t] * sums[(r + kPairs) * kTokens + t];
            y[(firstToken + t) * shape.yStride + row] = activate(gate, kGelu) * up;
        }
    }
}

void main()
{
    const uint firstToken = gl_WorkGroupID.y * kTokens;
    const uint rowsPerItem = kPairs * gl_WorkGroupSize.x;
    const uint itemCount = (shape.rowCount + rowsPerItem - 1) / rowsPerItem;
    const uint end = shareEnd(itemCount);
    uint item = shareStart(itemCount);
    do
        storeItem(item, firstToken);
    while (++item < end);
}
