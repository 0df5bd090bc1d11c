#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
// y[t][yOffset + row] (+)= weights[row] . x[t] (+ bias[row]).
// Bindings: 0-3 weights (weights.glsl), 4 x [tokens][xStride] f32x4, 5 y [tokens][yStride] f32, 6 bias [rows] f32.
// One workgroup = a share of the items of lanes x kRows rows, for kTokens tokens; a lane takes rows lane, lane + lanes, ...
// Spec constants: 0 lanes, 1 kRows, 2 kTokens.
// Sums in f32, in the order of dot_rows.glsl. Reference: Weight::multiply, addBias.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kRows = 8;
layout(constant_id = 2) const int kTokens = 1;
layout(push_constant) uniform Shape {
    uint rowCount; // rows to store
    uint groupCount; // columns / 64
    uint xStride; // texels of a row of x
    uint yStride; // floats of a row of y
    uint yOffset;
    uint tokenCount;
    uint adds; // 1: add to y instead of storing
    uint biased; // 1: bias holds numbers
    uint firstRow; // of this slab in the matrix
} shape;
uint groupCount() { return shape.groupCount; }
uint xStride() { return shape.xStride; }
uint rowOf(uint item, int r) { return (item * kRows + r) * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
#include "weights.glsl"
layout(binding = 4) uniform textureBuffer X;
layout(binding = 5) buffer Y { float y[]; };
layout(binding = 6) uniform textureBuffer Bias;
#include "dot_matrix.glsl"
#include "work_share.glsl"

void storeItem(uint item, uint firstToken)
{
    dotMatrix(item, firstToken);
    [[unroll]] for (int r = 0; r < kRows; ++r) {
        const uint row = rowOf(item, r);
        if (row >= shape.rowCount)
            continue;
        [[unroll]] for (int t = 0; t < kTokens; ++t) {
            if (firstToken + t >= shape.tokenCount)
                continue;
            float value = sums[r * kTokens + t];
            if (shape.biased != 0)
                value += texelFetch(Bias, int(shape.firstRow + row)).x;
            const uint index = (firstToken + t) * shape.yStride + shape.yOffset + row;
            y[index] = shape.adds != 0 ? y[index] + value : value;
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
