// Joins the splits of one head of one token: attended = sum of weighted partial sums / sum of weights; a lane takes the
// dimensions lane, lane + lanes, ... Splits in ascending order. Needs shape.{headUnits, headCount, splitRoom, window,
// attendedStride}, kPagePositions, epoch, and Partial, Rows, attended of attention_merge.comp.

// Exactly 1 for the largest score, so that one split alone is passed on bit for bit.
float weightOf(float score, float largest) { return score == largest ? 1.0 : exp(score - largest); }

void joinSplits(uint head, uint token)
{
    const uint headDim = shape.headUnits * 8;
    const uint splitPositions = 2 * kPagePositions;
    const uint position = texelFetch(Rows, int(token)).y;
    const uint firstVisible = shape.window > 0 && position >= shape.window ? position - shape.window + 1 : 0;
    const uint firstSplit = firstVisible / splitPositions;
    const uint lastSplit = position / splitPositions;
    const uint size = headDim + 2;
    const uint start = (token * shape.headCount + head) * shape.splitRoom * size;
    float largest = -1e30;
    for (uint split = firstSplit; split <= lastSplit; ++split)
        largest = max(largest, texelFetch(Partial, int(start + split * size + size - 2 + epoch)).x);
    float sum = 0.0;
    for (uint split = firstSplit; split <= lastSplit; ++split) {
        const uint at = start + split * size + size - 2;
        sum += weightOf(texelFetch(Partial, int(at + epoch)).x, largest) * texelFetch(Partial, int(at + 1 + epoch)).x;
    }
    for (uint d = gl_LocalInvocationID.x; d < headDim; d += gl_WorkGroupSize.x) {
        float value = 0.0;
        for (uint split = firstSplit; split <= lastSplit; ++split) {
            const uint at = start + split * size;
            value += weightOf(texelFetch(Partial, int(at + size - 2 + epoch)).x, largest)
                * texelFetch(Partial, int(at + d + epoch)).x;
        }
        attended[token * shape.attendedStride + head * headDim + d] = value / sum;
    }
}
