#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
// y[t][yOffset + row] = factor[source] * (weights[row] . x[source]) (+ bias[row]), factor by norm_scale.glsl;
// source is t, or the t-th scored row.
// Bindings: 0-3 weights (weights.glsl), 4 x [tokens][xStride] f32x4, 5 y [tokens][yStride] f32, 6 bias [rows] f32,
// 7 squares [tokens][squaresStride] f32x4, 8 scored rows [tokens] u32.
// One workgroup = a share of the items of lanes x kRows rows, for kTokens tokens. Spec constants: 0 lanes, 1 kRows, 2 kTokens, 3 scored rows only.
// Sums in f32, in the order of dot_rows.glsl. Reference: rmsNormRows, Weight::multiply, addBias.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kRows = 8;
layout(constant_id = 2) const int kTokens = 1;
layout(constant_id = 3) const bool kScored = false;
layout(push_constant) uniform Shape {
    uint rowCount;
    uint groupCount;
    uint xStride; // texels
    uint yStride; // floats
    uint yOffset;
    uint tokenCount;
    uint biased;
    uint squaresStride; // texels
    uint squaresUsed;
    uint columnCount;
    float epsilon;
    uint firstRow; // of this part of the matrix
} shape;
uint groupCount() { return shape.groupCount; }
uint xStride() { return shape.xStride; }
uint squaresStride() { return shape.squaresStride; }
uint squaresUsed() { return shape.squaresUsed; }
uint columnCount() { return shape.columnCount; }
float epsilon() { return shape.epsilon; }
uint rowOf(uint item, int r) { return (item * kRows + r) * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
#include "weights.glsl"
layout(binding = 4) uniform textureBuffer X;
layout(binding = 5) buffer Y { float y[]; };
layout(binding = 6) uniform textureBuffer Bias;
layout(binding = 7) uniform textureBuffer Squares;
layout(binding = 8) uniform utextureBuffer Scored;
const uint epoch = 0;
#include "norm_scale.glsl"
#define SOURCE_ROW(t) (kScored ? texelFetch(Scored, int(min(t, shape.tokenCount - 1))).x : (t))
#include "dot_matrix.glsl"
#include "work_share.glsl"

void storeItem(uint item, uint firstToken)
{
    dotMatrix(item, firstToken);
    float factor[kTokens];
    [[unroll]] for (int t = 0; t < kTokens; ++t)
        factor[t] = normFactor(SOURCE_ROW(firstToken + t));
    [[unroll]] for (int r = 0; r < kRows; ++r) {
        const uint row = rowOf(item, r);
        if (row >= shape.rowCount)
            continue;
        float bias = 0.0;
        if (shape.biased != 0)
            bias = texelFetch(Bias, int(shape.firstRow + row)).x;
        [[unroll]] for (int t = 0; t < kTokens; ++t) {
            if (firstToken + t >= shape.tokenCount)
                continue;
            y[(firstToken + t) * shape.yStride + shape.yOffset + row] = factor[t] * sums[r * kTokens + t] + bias;
        }
    }
}

void main()
{
    const uint firstToken = gl_WorkGroupID.y * kTokens;
    const uint rowsPerItem = kRows * gl_WorkGroupSize.x;
    const uint itemCount = (shape.rowCount + rowsPerItem - 1) / rowsPerItem;
    const uint end = shareEnd(itemCount);
    uint item = shareStart(itemCount);
    do
        storeItem(item, firstToken);
    while (++item < end);
}
