// One head of one token, of q, then k, then v: normalised (kHeadNorm) and rotated; q stored as a row, k and v in their
// page. Needs shape.{headCount, kvHeadCount, qkvStride, kOffset, vOffset, qStride, epsilon}, kPairs, kHeadNorm,
// kPagePositions, epoch, and Qkv, Rows, Tables, Fine, Coarse, NormWeight, q, keys, values of rope_store.comp.
void storeHead(uint head, uint token)
{
    const uint kHead = head - shape.headCount; // meaningful from headCount on
    const uint headDim = 2 * kPairs;
    const uvec4 row = texelFetch(Rows, int(token));
    const uint position = row.y;
    const uint page = texelFetch(Tables, int(row.z + position / kPagePositions)).x;
    const uint slot = position % kPagePositions;

    if (head >= shape.headCount + shape.kvHeadCount) {
        const uint vHead = kHead - shape.kvHeadCount;
        const uint source = token * shape.qkvStride + shape.vOffset + vHead * headDim;
        const uint first = (page * shape.kvHeadCount + vHead) * (headDim / 8);
        for (uint d = gl_LocalInvocationID.x; d < headDim; d += gl_WorkGroupSize.x)
            values[((first + d / 8) * kPagePositions + slot) * 8 + d % 8]
                = float16_t(texelFetch(Qkv, int(source + d + epoch)).x);
        return;
    }

    const bool isKey = head >= shape.headCount;
    const uint source = token * shape.qkvStride + (isKey ? shape.kOffset + kHead * headDim : head * headDim);
    float factor = 1.0;
    if (kHeadNorm) {
        float squares = 0.0;
        for (uint d = gl_LocalInvocationID.x; d < headDim; d += gl_WorkGroupSize.x) {
            const float v = texelFetch(Qkv, int(source + d + epoch)).x;
            squares += v * v;
        }
        factor = 1.0 / sqrt(subgroupAdd(squares) / float(int(headDim)) + shape.epsilon);
    }
    for (uint i = gl_LocalInvocationID.x; i < kPairs; i += gl_WorkGroupSize.x) {
        float a = texelFetch(Qkv, int(source + i + epoch)).x;
        float b = texelFetch(Qkv, int(source + kPairs + i + epoch)).x;
        if (kHeadNorm) {
            const uint weight = isKey ? headDim : 0;
            a = a * factor * texelFetch(NormWeight, int(weight + i)).x;
            b = b * factor * texelFetch(NormWeight, int(weight + kPairs + i)).x;
        }
        const vec2 fine = texelFetch(Fine, int((position % 256) * kPairs + i)).xy;
        const vec2 coarse = texelFetch(Coarse, int((position / 256) * kPairs + i)).xy;
        const float c = coarse.x * fine.x - coarse.y * fine.y;
        const float s = coarse.x * fine.y + coarse.y * fine.x;
        const float ra = a * c - b * s;
        const float rb = b * c + a * s;
        if (isKey) {
            const uint first = (page * shape.kvHeadCount + kHead) * (headDim / 8);
            const uint d = i + kPairs;
            keys[((first + i / 8) * kPagePositions + slot) * 8 + i % 8] = float16_t(ra);
            keys[((first + d / 8) * kPagePositions + slot) * 8 + d % 8] = float16_t(rb);
        } else {
            q[token * shape.qStride + head * headDim + i] = ra;
            q[token * shape.qStride + head * headDim + kPairs + i] = rb;
        }
    }
}
