// dotRows over the one matrix of weights.glsl: kRows rows rowOf(item, r), tokens firstToken .. firstToken + kTokens - 1.
// Needs weights.glsl, kRows, kTokens, rowOf(item, r), X ([tokens][xStride texels] f32), groupCount() and xStride();
// SOURCE_ROW(t) may say which row of x token t is.
#ifndef SOURCE_ROW
#define SOURCE_ROW(t) (t)
#endif
#define kMostRows kRows
#include "dot_rows.glsl"

void dotMatrix(uint item, uint firstToken)
{
    [[unroll]] for (int r = 0; r < kRows; ++r)
        dotRow[r] = rowOf(item, r);
    [[unroll]] for (int t = 0; t < kTokens; ++t)
        dotStart[t] = SOURCE_ROW(firstToken + t) * xStride();
    dotRows(Quants, Scales, HighBits, SuperScales, X, groupCount(), kRows);
}
