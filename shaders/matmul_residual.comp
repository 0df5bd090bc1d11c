#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// Ends a branch: residual[t][row] += weights[row] . x[t]; scaled[t][row] = residual[t][row] * nextWeight[row];
// squares[t][item] = sum of squares of the rows of the item (norm_scale.glsl).
// Bindings: 0-3 weights (weights.glsl), 4 x [tokens][xStride] f32x4, 5 residual and 6 scaled [tokens][yStride] f32,
// 7 squares [tokens][squaresStride] f32, 8 nextWeight [rows] f32.
// One workgroup = a share of the items of lanes x kRows rows, for kTokens tokens. Spec constants: 0 lanes (= subgroup size), 1 kRows, 2 kTokens.
// Sums in f32, in the order of dot_rows.glsl. Reference: Weight::multiply, add, rmsNormRows.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kRows = 8;
layout(constant_id = 2) const int kTokens = 1;
layout(push_constant) uniform Shape {
    uint rowCount;
    uint groupCount;
    uint xStride; // texels
    uint yStride; // floats
    uint squaresStride; // floats
    uint tokenCount;
} shape;
uint groupCount() { return shape.groupCount; }
uint xStride() { return shape.xStride; }
uint rowOf(uint item, int r) { return (item * kRows + r) * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
#include "weights.glsl"
layout(binding = 4) uniform textureBuffer X;
layout(binding = 5) buffer Residual { float residual[]; };
layout(binding = 6) buffer Scaled { float scaled[]; };
layout(binding = 7) buffer Squares { float squares[]; };
layout(binding = 8) uniform textureBuffer NextWeight;
#include "dot_matrix.glsl"
#include "work_share.glsl"

void storeItem(uint item, uint firstToken)
{
    dotMatrix(item, firstToken);
    float weight[kRows];
    [[unroll]] for (int r = 0; r < kRows; ++r)
        weight[r] = texelFetch(NextWeight, int(rowOf(item, r))).x;
    [[unroll]] for (int t = 0; t < kTokens; ++t) {
        const uint token = firstToken + t;
        float sum = 0.0;
        if (token < shape.tokenCount) {
            [[unroll]] for (int r = 0; r < kRows; ++r) {
                const uint row = rowOf(item, r);
                if (row < shape.rowCount) {
                    const uint at = token * shape.yStride + row;
                    const float value = residual[at] + sums[r * kTokens + t];
                    residual[at] = value;
                    scaled[at] = value * weight[r];
                    sum += value * value;
                }
            }
        }
        sum = subgroupAdd(sum);
        if (token < shape.tokenCount && gl_LocalInvocationID.x == 0)
            squares[token * shape.squaresStride + item] = sum;
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
