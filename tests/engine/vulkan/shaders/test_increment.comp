// values[i] = values[i] * 2 + 1: the result tells how often, and in which order, it ran.
// 0: values, u32 [groups * 8]. One workgroup = 8 values.
#version 450
layout(local_size_x = 8) in;
layout(binding = 0, std430) buffer Values { uint values[]; };

void main() { values[gl_GlobalInvocationID.x] = values[gl_GlobalInvocationID.x] * 2u + 1u; }
