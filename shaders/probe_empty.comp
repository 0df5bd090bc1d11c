#version 450
// Does nothing, in a way that no compiler knows: what a dispatch costs by itself. Bindings: 0 sums u32.
// One workgroup = its lanes. Spec constants: 0 lanes.
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Shape { uint writer; } shape;
layout(binding = 0) writeonly buffer Sums { uint sums[]; };

void main()
{
    if (gl_GlobalInvocationID.x == shape.writer)
        sums[0] = 0;
}
