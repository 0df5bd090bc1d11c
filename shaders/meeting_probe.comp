#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
// Lets all workgroups meet 16 times and counts who waited in vain (engine/kernels/meeting.h).
// Bindings: 0 arrivals and failures u32. One workgroup = one subgroup. Spec constants: 0 lanes. Reference: none.
layout(local_size_x_id = 0) in;
layout(binding = 0) coherent buffer Meeting { uint arrivals; uint failures; uint roundsTaken; };
#include "meeting.glsl"

void main()
{
    uint i = 0;
    do
        meet();
    while (++i < 16);
}
