#version 450
#extension GL_GOOGLE_include_directive : require
// Joins the splits of one head of one token: attended = sum of weighted partial sums / sum of weights.
// Bindings: 0 partial [tokens][heads][splits][headDim + 2] f32, 1 rows u32x4, 2 attended [tokens][attendedStride] f32.
// One workgroup = one head of one token; a lane takes the dimensions lane, lane + lanes, ...
// Spec constants: 0 lanes, 5 positions of a page. Splits in ascending order, in f32. Reference: attention.
layout(local_size_x_id = 0) in;
layout(constant_id = 5) const int kPagePositions = 64;
layout(push_constant) uniform Shape {
    uint headUnits; // headDim / 8
    uint headCount;
    uint splitRoom; // room for splits in partial
    uint window; // positions seen, 0 = all
    uint attendedStride; // floats
} shape;
layout(binding = 0) uniform textureBuffer Partial;
layout(binding = 1) uniform utextureBuffer Rows;
layout(binding = 2) buffer Attended { float attended[]; };
const uint epoch = 0;
#include "join_splits.glsl"

void main() { joinSplits(gl_WorkGroupID.x, gl_WorkGroupID.y); }
