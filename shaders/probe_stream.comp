#version 450
#extension GL_EXT_control_flow_attributes : require
// sums[i] = the sum of all words of the units that invocation i reads: how fast a buffer is read, as texels of 16
// bytes or (STORAGE) as a storage buffer. Bindings: 0 units [units] u32x4, 1 sums [invocations] u32.
// One workgroup = kSteps runs of neighbouring units, of each run one unit a lane.
// Spec constants: 0 lanes, 1 units of an invocation (a multiple of 8). Sums modulo 2^32.
// Reference: device_probe.cpp knows what every word is.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kSteps = 8;
#ifdef STORAGE
layout(binding = 0) readonly buffer Units { uvec4 units[]; };
uvec4 unitAt(uint index) { return units[index]; }
#else
layout(binding = 0) uniform utextureBuffer Units;
uvec4 unitAt(uint index) { return texelFetch(Units, int(index)); }
#endif
layout(binding = 1) writeonly buffer Sums { uint sums[]; };

void main()
{
    uint index = gl_WorkGroupID.x * kSteps * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    uvec4 sum = uvec4(0);
    for (uint step = 0; step < kSteps; step += 8) {
        [[unroll]] for (uint i = 0; i < 8; ++i)
            sum += unitAt(index + i * gl_WorkGroupSize.x);
        index += 8 * gl_WorkGroupSize.x;
    }
    sums[gl_GlobalInvocationID.x] = sum.x + sum.y + sum.z + sum.w;
}
