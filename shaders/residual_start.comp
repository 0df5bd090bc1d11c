#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Starts the spread-out RMSNorm of the first layer: scaled[t] = residual[t] * weight, squares[t] = its sum of squares.
// Bindings: 0 residual [tokens][stride] f32x4, 1 weight [stride] f32x4, 2 scaled [tokens][4 * stride] f32,
// 3 squares [tokens][4 * squaresStride] f32. One workgroup = one subgroup = one token.
// Spec constants: 0 lanes (= subgroup size). Sum in f32: per lane in order, then across the subgroup.
// Reference: rmsNormRows (with norm_scale.glsl).
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Shape { uint stride; uint squaresStride; } shape;
layout(binding = 0) uniform textureBuffer Residual;
layout(binding = 1) uniform textureBuffer Weight;
layout(binding = 2) buffer Scaled { float scaled[]; };
layout(binding = 3) buffer Squares { float squares[]; };

void main()
{
    const uint token = gl_WorkGroupID.x;
    float sum = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < shape.stride; i += gl_WorkGroupSize.x) {
        const vec4 v = texelFetch(Residual, int(token * shape.stride + i));
        const vec4 s = v * texelFetch(Weight, int(i));
        const uint at = (token * shape.stride + i) * 4;
        scaled[at] = s.x;
        scaled[at + 1] = s.y;
        scaled[at + 2] = s.z;
        scaled[at + 3] = s.w;
        sum += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
    sum = subgroupAdd(sum);
    for (uint i = gl_LocalInvocationID.x; i < shape.squaresStride * 4; i += gl_WorkGroupSize.x)
        squares[token * shape.squaresStride * 4 + i] = i == 0 ? sum : 0.0;
}
