// Causal attention of one token over one split of its context (two pages, at a fixed place), for kHeads heads that share
// a kv head: weighted sums of values, the largest score and the sum of weights, or where there is no other split the
// result itself (joined). A lane is a position. Needs shape.{kvHeadCount, groupSize, headUnits, qStride, splitRoom, window,
// scale, attendedStride}, kHeads, kVectors, epoch, and Q, Rows, Tables, Keys, Values, partial, attended of attention.comp.
const int kPages = 2;
const float kNothing = -1e30; // below any score
float scores[kHeads * kPages * kVectors];

void attendSplit(uint headTile, uint split, uint token, bool joined)
{
    const uint lanes = gl_WorkGroupSize.x;
    const uint lane = gl_LocalInvocationID.x;
    const uint pagePositions = lanes * kVectors;
    const uint tiles = (shape.groupSize + kHeads - 1) / kHeads;
    const uint kvHead = headTile / tiles;
    const uint firstHead = (headTile % tiles) * kHeads; // within the group
    const uvec4 row = texelFetch(Rows, int(token));
    const uint position = row.y;
    const uint firstVisible = shape.window > 0 && position >= shape.window ? position - shape.window + 1 : 0;
    const uint splitStart = split * kPages * pagePositions;
    if (splitStart > position || splitStart + kPages * pagePositions <= firstVisible)
        return;
    const uint pageUnits = shape.kvHeadCount * shape.headUnits * pagePositions;
    const uint headStart = kvHead * shape.headUnits * pagePositions + lane;
    const uint partialSize = shape.headUnits * 8 + 2;

    [[unroll]] for (int p = 0; p < kPages; ++p) {
        const uint pageStart = splitStart + p * pagePositions;
        float s[kHeads * kVectors];
        [[unroll]] for (int i = 0; i < kHeads * kVectors; ++i)
            s[i] = 0.0;
        if (pageStart <= position) {
            const uint page = texelFetch(Tables, int(row.z + split * kPages + p)).x;
            uint unit = 0;
            do {
                vec4 q[kHeads * 2];
                [[unroll]] for (int h = 0; h < kHeads; ++h) {
                    const uint head = kvHead * shape.groupSize + min(firstHead + h, shape.groupSize - 1);
                    const uint at = token * (shape.qStride / 4) + (head * shape.headUnits + unit) * 2;
                    q[2 * h] = texelFetch(Q, int(at + epoch));
                    q[2 * h + 1] = texelFetch(Q, int(at + 1 + epoch));
                }
                uvec4 k[kVectors]; // all fetches first: dot_rows.glsl
                [[unroll]] for (int v = 0; v < kVectors; ++v)
                    k[v] = texelFetch(
                        Keys, int(page * pageUnits + headStart + unit * pagePositions + v * lanes + epoch));
                [[unroll]] for (int v = 0; v < kVectors; ++v) {
                    [[unroll]] for (int w = 0; w < 4; ++w) {
                        const vec2 pair = unpackHalf2x16(k[v][w]);
                        [[unroll]] for (int h = 0; h < kHeads; ++h) {
                            s[h * kVectors + v] += pair.x * q[2 * h + w / 2][2 * (w % 2)];
                            s[h * kVectors + v] += pair.y * q[2 * h + w / 2][2 * (w % 2) + 1];
                        }
                    }
                }
            } while (++unit < shape.headUnits);
        }
        [[unroll]] for (int h = 0; h < kHeads; ++h)
            [[unroll]] for (int v = 0; v < kVectors; ++v) {
                const uint at = pageStart + v * lanes + lane;
                const bool visible = at <= position && at >= firstVisible;
                scores[(h * kPages + p) * kVectors + v] = visible ? s[h * kVectors + v] * shape.scale : kNothing;
            }
    }

    float weightSum[kHeads];
    [[unroll]] for (int h = 0; h < kHeads; ++h) {
        float largest = kNothing;
        [[unroll]] for (int i = 0; i < kPages * kVectors; ++i)
            largest = max(largest, scores[h * kPages * kVectors + i]);
        largest = subgroupMax(largest);
        float sum = 0.0;
        [[unroll]] for (int i = 0; i < kPages * kVectors; ++i) {
            const float score = scores[h * kPages * kVectors + i];
            const float weight = score < 0.5 * kNothing ? 0.0 : exp(score - largest); // a NaN stays one
            scores[h * kPages * kVectors + i] = weight;
            sum += weight;
        }
        sum = subgroupAdd(sum);
        weightSum[h] = sum;
        if (lane == 0 && firstHead + h < shape.groupSize && !joined) {
            const uint head = token * shape.kvHeadCount * shape.groupSize + kvHead * shape.groupSize + firstHead + h;
            const uint at = (head * shape.splitRoom + split) * partialSize + partialSize - 2;
            partial[at] = largest;
            partial[at + 1] = sum;
        }
    }

    uint unit = 0;
    uint pages[kPages];
    [[unroll]] for (int p = 0; p < kPages; ++p)
        pages[p] = texelFetch(Tables, int(row.z + split * kPages + p)).x;
    do {
        uvec4 texels[kPages * kVectors];
        [[unroll]] for (int p = 0; p < kPages; ++p)
            [[unroll]] for (int v = 0; v < kVectors; ++v) {
                texels[p * kVectors + v] = texelFetch(
                    Values, int(pages[p] * pageUnits + headStart + unit * pagePositions + v * lanes + epoch));
                if (splitStart + p * pagePositions + v * lanes + lane > position) // may never have been written
                    texels[p * kVectors + v] = uvec4(0);
            }
        float o[kHeads * 8];
        [[unroll]] for (int i = 0; i < kHeads * 8; ++i)
            o[i] = 0.0;
        [[unroll]] for (int p = 0; p < kPages; ++p) {
            if (splitStart + p * pagePositions <= position) {
                [[unroll]] for (int v = 0; v < kVectors; ++v) {
                    [[unroll]] for (int w = 0; w < 4; ++w) {
                        const vec2 pair = unpackHalf2x16(texels[p * kVectors + v][w]);
                        [[unroll]] for (int h = 0; h < kHeads; ++h) {
                            const float weight = scores[(h * kPages + p) * kVectors + v];
                            o[h * 8 + 2 * w] += weight * pair.x;
                            o[h * 8 + 2 * w + 1] += weight * pair.y;
                        }
                    }
                }
            }
        }
        [[unroll]] for (int h = 0; h < kHeads; ++h) {
            [[unroll]] for (int d = 0; d < 8; ++d)
                o[h * 8 + d] = subgroupAdd(o[h * 8 + d]);
            const uint head = kvHead * shape.groupSize + firstHead + h;
            const uint row = token * shape.kvHeadCount * shape.groupSize + head;
            [[unroll]] for (uint first = 0; first < 8; first += lanes) { // each lane stores one dimension
                const uint dimension = first + lane;
                float value = o[h * 8];
                [[unroll]] for (int d = 1; d < 8; ++d)
                    value = dimension == d ? o[h * 8 + d] : value;
                if (dimension >= 8 || firstHead + h >= shape.groupSize)
                    continue;
                if (joined)
                    attended[token * shape.attendedStride + (head * shape.headUnits + unit) * 8 + dimension]
                        = value / weightSum[h];
                else
                    partial[(row * shape.splitRoom + split) * partialSize + unit * 8 + dimension] = value;
            }
        }
    } while (++unit < shape.headUnits);
}
