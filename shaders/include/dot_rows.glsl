// sums[r * kTokens + t] = row rowOf(r) of the weights, times row firstToken + t of x. One order of summation,
// fixed by k alone: over the 32 (or 16) weights of a part, then over the parts, whatever kRows and kTokens are.
// Needs weights.glsl, kRows, kTokens, rowOf(r), X ([tokens][xStride texels] f32), groupCount() and xStride();
// SOURCE_ROW(t) may say which row of x token t is.

#ifndef SOURCE_ROW
#define SOURCE_ROW(t) (t)
#endif

float sums[kRows * kTokens];

void dotRows(uint firstToken)
{
    [[unroll]] for (int i = 0; i < kRows * kTokens; ++i)
        sums[i] = 0.0;
    uint start[kTokens];
    [[unroll]] for (int t = 0; t < kTokens; ++t)
        start[t] = SOURCE_ROW(firstToken + t) * xStride();
    for (uint group = 0; group < groupCount(); ++group) {
        GroupScales scales[kRows];
        [[unroll]] for (int r = 0; r < kRows; ++r)
            scales[r] = loadScales(group, rowOf(r));
        [[unroll]] for (int c = 0; c < 2; ++c) {
            uvec4 quants[kRows * QUANT_TEXELS];
            [[unroll]] for (int r = 0; r < kRows; ++r)
                [[unroll]] for (int f = 0; f < QUANT_TEXELS; ++f)
                    quants[r * QUANT_TEXELS + f] = texelFetch(
                        Quants, unitAt((group * 2 + c) * QUANT_TEXELS + f, quantUnitCount(), rowOf(r)));
            [[unroll]] for (int sub = 0; sub < SUBS; ++sub) {
                float part[kRows * kTokens];
                [[unroll]] for (int i = 0; i < kRows * kTokens; ++i)
                    part[i] = 0.0;
                float xSum[kTokens];
                [[unroll]] for (int t = 0; t < kTokens; ++t)
                    xSum[t] = 0.0;
                [[unroll]] for (int f = 0; f < 8 / SUBS; ++f) {
                    const int four = sub * (8 / SUBS) + f;
                    vec4 x[kTokens];
                    [[unroll]] for (int t = 0; t < kTokens; ++t) {
                        x[t] = texelFetch(X, int(start[t] + group * 16 + c * 8 + four));
#ifdef HAS_MIN
                        xSum[t] += (x[t].x + x[t].y) + (x[t].z + x[t].w);
#endif
                    }
                    [[unroll]] for (int j = 0; j < 4; ++j) {
                        [[unroll]] for (int r = 0; r < kRows; ++r) {
                            const float w = WEIGHT(quants, r * QUANT_TEXELS, scales[r], c, four * 4 + j);
                            [[unroll]] for (int t = 0; t < kTokens; ++t)
                                part[r * kTokens + t] += w * x[t][j];
                        }
                    }
                }
                [[unroll]] for (int r = 0; r < kRows; ++r) {
#ifdef SCALED
                    const vec2 scale = scaleOf(scales[r], group, c, sub);
                    [[unroll]] for (int t = 0; t < kTokens; ++t) {
                        sums[r * kTokens + t] += scale.x * part[r * kTokens + t];
#ifdef HAS_MIN
                        sums[r * kTokens + t] += scale.y * xSum[t];
#endif
                    }
#else
                    [[unroll]] for (int t = 0; t < kTokens; ++t)
                        sums[r * kTokens + t] += part[r * kTokens + t];
#endif
                }
            }
        }
    }
}
