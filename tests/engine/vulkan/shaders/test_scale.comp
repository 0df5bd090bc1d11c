// result[i] = texel-read input[i] * (factor + push.addend), OP chosen by a define.
// 0: input as texels of four floats, [count / 4]; 1: result, f32 [count].
// One workgroup = local_size_x texels. Constants: 0 local_size_x, 1 factor (float).
#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const float factor = 1.0;
layout(binding = 0) uniform samplerBuffer inputs;
layout(binding = 1, std430) writeonly buffer Result { vec4 result[]; };
layout(push_constant) uniform Push {
    float addend;
    uint texelCount;
};

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i >= texelCount)
        return;
#ifdef NEGATE
    result[i] = -texelFetch(inputs, int(i)) * (factor + addend);
#else
    result[i] = texelFetch(inputs, int(i)) * (factor + addend);
#endif
}
