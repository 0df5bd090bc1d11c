#version 450
#extension GL_GOOGLE_include_directive : require
// y[t][i] = activation(gate[t][i]) * up[t][i]: for files whose gate and up have different tensor types.
// Bindings: 0 gate and up [tokens][2 * stride] f32, up from column stride; 1 y [tokens][stride] f32.
// One workgroup = lanes columns of one token. Spec constants: 0 lanes, 3 GELU. Reference: gated.
layout(local_size_x_id = 0) in;
layout(constant_id = 3) const bool kGelu = false;
layout(push_constant) uniform Shape { uint columnCount; uint stride; } shape;
#include "activation.glsl"
layout(binding = 0) uniform textureBuffer GateUp;
layout(binding = 1) buffer Y { float y[]; };

void main()
{
    const uint column = gl_GlobalInvocationID.x;
    if (column >= shape.columnCount)
        return;
    const uint row = gl_WorkGroupID.y * 2 * shape.stride;
    const float gate = texelFetch(GateUp, int(row + column)).x;
    const float up = texelFetch(GateUp, int(row + shape.stride + column)).x;
    y[gl_WorkGroupID.y * shape.stride + column] = activate(gate, kGelu) * up;
}
