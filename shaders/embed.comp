#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
// y[t] = scale * row token[t] of the embedding matrix.
// Bindings: 0-3 weights (weights.glsl), 4 rows [tokens] (token, position, table, -) u32x4, 5 y [tokens][yStride] f32.
// One workgroup = one token; a lane takes the groups of 64 columns lane, lane + lanes, ...
// Spec constants: 0 lanes. Reference: ReferenceModel::embed.
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Shape {
    uint firstRow; // of this part of the matrix
    uint rowCount;
    uint groupCount;
    uint yStride;
    float scale;
} shape;
#include "weights.glsl"
layout(binding = 4) uniform utextureBuffer Rows;
layout(binding = 5) buffer Y { float y[]; };

void main()
{
    const uint token = texelFetch(Rows, int(gl_WorkGroupID.x)).x;
    if (token < shape.firstRow || token - shape.firstRow >= shape.rowCount)
        return;
    const uint row = token - shape.firstRow;
    for (uint group = gl_LocalInvocationID.x; group < shape.groupCount; group += gl_WorkGroupSize.x) {
        const GroupScales g = loadScales(Scales, HighBits, SuperScales, group, shape.groupCount, row);
        [[unroll]] for (int c = 0; c < 2; ++c) {
            uvec4 quants[QUANT_TEXELS];
            [[unroll]] for (int f = 0; f < QUANT_TEXELS; ++f)
                quants[f] = texelFetch(
                    Quants, unitAt((group * 2 + c) * QUANT_TEXELS + f, shape.groupCount * 2 * QUANT_TEXELS, row));
            [[unroll]] for (int i = 0; i < 32; ++i) {
                const vec2 scale = scaleOf(g, group, c, i * SUBS / 32);
                const float w = scale.x * WEIGHT(quants, 0, g, c, i) + scale.y;
                y[gl_WorkGroupID.x * shape.yStride + group * 64 + c * 32 + i] = shape.scale * w;
            }
        }
    }
}
