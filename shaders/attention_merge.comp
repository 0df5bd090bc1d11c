#version 450
// Joins the splits of one head of one token: y = sum of weighted partial sums / sum of weights.
// Bindings: 0 partial [tokens][heads][splits][headDim + 2] f32, 1 rows u32x4, 2 y [tokens][yStride] f32.
// One workgroup = one head of one token; a lane takes the dimensions lane, lane + lanes, ...
// Spec constants: 0 lanes. Splits in ascending order, in f32. Reference: attention.
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Shape {
    uint headDim;
    uint splitCount;
    uint splitPositions;
    uint window;
    uint yStride;
} shape;
layout(binding = 0) uniform textureBuffer Partial;
layout(binding = 1) uniform utextureBuffer Rows;
layout(binding = 2) buffer Y { float y[]; };

// Exactly 1 for the largest score, so that one split alone is passed on bit for bit.
float weightOf(float score, float largest) { return score == largest ? 1.0 : exp(score - largest); }

void main()
{
    const uint head = gl_WorkGroupID.x;
    const uint token = gl_WorkGroupID.y;
    const uint position = texelFetch(Rows, int(token)).y;
    const uint firstVisible = shape.window > 0 && position >= shape.window ? position - shape.window + 1 : 0;
    const uint firstSplit = firstVisible / shape.splitPositions;
    const uint lastSplit = position / shape.splitPositions;
    const uint size = shape.headDim + 2;
    const uint start = (token * gl_NumWorkGroups.x + head) * shape.splitCount * size;
    float largest = -1e30;
    for (uint split = firstSplit; split <= lastSplit; ++split)
        largest = max(largest, texelFetch(Partial, int(start + split * size + size - 2)).x);
    float sum = 0.0;
    for (uint split = firstSplit; split <= lastSplit; ++split) {
        const uint at = start + split * size + size - 2;
        sum += weightOf(texelFetch(Partial, int(at)).x, largest) * texelFetch(Partial, int(at + 1)).x;
    }
    for (uint d = gl_LocalInvocationID.x; d < shape.headDim; d += gl_WorkGroupSize.x) {
        float value = 0.0;
        for (uint split = firstSplit; split <= lastSplit; ++split) {
            const uint at = start + split * size;
            value += weightOf(texelFetch(Partial, int(at + size - 2)).x, largest)
                * texelFetch(Partial, int(at + d)).x;
        }
        y[token * shape.yStride + head * shape.headDim + d] = value / sum;
    }
}
