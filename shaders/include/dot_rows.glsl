// sums[r * kTokens + t] = row dotRow[r] of the weights (r < rowCount), times the row of activations whose first texel
// is dotStart[t]. One order of summation, fixed by k alone: over the 32 (or 16) weights of a part, then over the parts,
// whatever rowCount and kTokens are. Included after each weight_type.glsl; needs kMostRows and kTokens.

#ifndef DOT_ROWS_STATE
#define DOT_ROWS_STATE
float sums[kMostRows * kTokens];
const int kRowBlock = kTokens > 4 ? 1 : kTokens > 1 ? 2 : 8; // rows summed at a time; row counts are powers of two
uint dotRow[kMostRows];
uint dotStart[kTokens];
#endif

void TYPED(dotRows)(utextureBuffer quantPlane, utextureBuffer scalePlane, utextureBuffer highPlane,
    utextureBuffer superPlane, textureBuffer activations, uint groupCount, int rowCount)
{
    [[unroll]] for (int i = 0; i < rowCount * kTokens; ++i)
        sums[i] = 0.0;
    uint group = 0;
    do { // the software device runs the body of a for loop once more, to no effect
        GroupScales scales[kMostRows];
        [[unroll]] for (int r = 0; r < rowCount; ++r)
            scales[r] = TYPED(loadScales)(scalePlane, highPlane, superPlane, group, groupCount, dotRow[r]);
        [[unroll]] for (int c = 0; c < 2; ++c) {
            uvec4 quants[kMostRows * QUANT_TEXELS];
            [[unroll]] for (int r = 0; r < rowCount; ++r)
                [[unroll]] for (int f = 0; f < QUANT_TEXELS; ++f)
                    quants[r * QUANT_TEXELS + f] = texelFetch(quantPlane,
                        unitAt((group * 2 + c) * QUANT_TEXELS + f, groupCount * 2 * QUANT_TEXELS, dotRow[r]));
            // All fetches before all products: on the software device a fetch is a call that spills the sums.
            vec4 x[8 * kTokens];
            [[unroll]] for (int t = 0; t < kTokens; ++t)
                [[unroll]] for (int f = 0; f < 8; ++f)
                    x[f * kTokens + t] = texelFetch(activations, int(dotStart[t] + group * 16 + c * 8 + f));
            [[unroll]] for (int sub = 0; sub < SUBS; ++sub) {
                const int firstFour = sub * (8 / SUBS);
#ifdef HAS_MIN
                float xSum[kTokens];
                [[unroll]] for (int t = 0; t < kTokens; ++t) {
                    xSum[t] = 0.0;
                    [[unroll]] for (int f = 0; f < 8 / SUBS; ++f) { // a loop must know its rounds to be unrolled
                        const vec4 v = x[(firstFour + f) * kTokens + t];
                        xSum[t] += (v.x + v.y) + (v.z + v.w);
                    }
                }
#endif
                [[unroll]] for (int first = 0; first < rowCount; first += kRowBlock) { // as many sums as fit in registers
                    float part[kRowBlock * kTokens];
                    [[unroll]] for (int i = 0; i < kRowBlock * kTokens; ++i)
                        part[i] = 0.0;
                    [[unroll]] for (int f = 0; f < 8 / SUBS; ++f)
                        [[unroll]] for (int j = 0; j < 4; ++j)
                            [[unroll]] for (int r = 0; r < min(kRowBlock, rowCount); ++r) {
                                const float w = WEIGHT(quants, (first + r) * QUANT_TEXELS, scales[first + r], c, (firstFour + f) * 4 + j);
                                [[unroll]] for (int t = 0; t < kTokens; ++t)
                                    part[r * kTokens + t] += w * x[(firstFour + f) * kTokens + t][j];
                            }
                    [[unroll]] for (int r = 0; r < min(kRowBlock, rowCount); ++r) {
                        const int at = (first + r) * kTokens;
#ifdef SCALED
                        const vec2 scale = TYPED(scaleOf)(scales[first + r], group, c, sub);
                        [[unroll]] for (int t = 0; t < kTokens; ++t) {
                            sums[at + t] += scale.x * part[r * kTokens + t];
#ifdef HAS_MIN
                            sums[at + t] += scale.y * xSum[t];
#endif
                        }
#else
                        [[unroll]] for (int t = 0; t < kTokens; ++t)
                            sums[at + t] += part[r * kTokens + t];
#endif
                    }
                }
            }
        }
    } while (++group < groupCount);
}
