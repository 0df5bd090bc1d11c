#version 450
#extension GL_EXT_control_flow_attributes : require
// sums[i] = twelve numbers, each multiplied by a factor and added to again and again: how fast a device multiplies
// and adds when nothing else stands in its way. Bindings: 0 sums [invocations] f32. One workgroup = its lanes.
// Spec constants: 0 lanes. Precision f32; x = x * 0.5 + 1 tends to 2, so that each sum is 24.
// Reference: device_probe.cpp.
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Shape { uint steps; float factor; float addend; } shape;
layout(binding = 0) writeonly buffer Sums { float sums[]; };

const int kNumbers = 12; // with factor and addend they fit the 16 vector registers of older processors
const int kUnrolled = 32; // so that the loop itself counts for nothing

void main()
{
    float numbers[kNumbers];
    [[unroll]] for (int n = 0; n < kNumbers; ++n)
        numbers[n] = float(gl_LocalInvocationID.x + n);
    for (uint step = 0; step < shape.steps; ++step)
        [[unroll]] for (int i = 0; i < kUnrolled; ++i)
            [[unroll]] for (int n = 0; n < kNumbers; ++n)
                numbers[n] = numbers[n] * shape.factor + shape.addend;
    float sum = 0.0;
    [[unroll]] for (int n = 0; n < kNumbers; ++n)
        sum += numbers[n];
    sums[gl_GlobalInvocationID.x] = sum;
}
