#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// y[t] (+)= x[t] / rms(x[t]) * weight. Columns past columnCount are zero in x and stay zero in y.
// Bindings: 0 x [tokens][normStride] f32x4, 1 weight [normStride] f32x4, 2 y [tokens][4 * normStride] f32, 3 map [tokens] u32.
// One workgroup = one subgroup = one token; a lane takes the texels lane, lane + lanes, ...
// Spec constants: 0 lanes (= subgroup size), 3 add to y, 4 row t of y comes from row map[t] of x.
// Sum of squares in f32: per lane in order, then across the subgroup. Reference: rmsNormRows.
layout(local_size_x_id = 0) in;
layout(constant_id = 3) const bool kAdd = false;
layout(constant_id = 4) const bool kMapped = false;
layout(push_constant) uniform Shape { uint columnCount; uint normStride; float epsilon; } shape;
layout(binding = 0) uniform textureBuffer X;
layout(binding = 1) uniform textureBuffer Weight;
layout(binding = 2) buffer Y { float y[]; };
layout(binding = 3) uniform utextureBuffer Map;
const uint epoch = 0;
#include "norm_row.glsl"

void main()
{
    uint source = gl_WorkGroupID.x;
    if (kMapped)
        source = texelFetch(Map, int(source)).x;
    const uint first = source * shape.normStride;
    const float factor = normRowFactor(X, first);
    for (uint i = gl_LocalInvocationID.x; i < shape.normStride; i += gl_WorkGroupSize.x) {
        const vec4 v = normedTexel(X, Weight, first, i, factor);
        const uint at = (gl_WorkGroupID.x * shape.normStride + i) * 4;
        y[at] = kAdd ? y[at] + v.x : v.x;
        y[at + 1] = kAdd ? y[at + 1] + v.y : v.y;
        y[at + 2] = kAdd ? y[at + 2] + v.z : v.z;
        y[at + 3] = kAdd ? y[at + 3] + v.w : v.w;
    }
}
