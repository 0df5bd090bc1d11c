// The RMSNorm of a row of the residual stream, spread over the kernels around it: whoever writes the row also writes
// row * weight and sums of squares (partial sums in fixed places); whoever reads multiplies its result by this factor.
// Needs Squares ([tokens][squaresStride texels] f32x4: partial sums, zero past the last), squaresStride(),
// squaresUsed() (texels that may hold sums), columnCount(), epsilon() and epoch.
float normFactor(uint token)
{
    float sum = 0.0;
    for (uint i = 0; i < squaresUsed(); ++i) {
        const vec4 s = texelFetch(Squares, int(token * squaresStride() + i + epoch));
        sum += (s.x + s.y) + (s.z + s.w);
    }
    return 1.0 / sqrt(sum / float(int(columnCount())) + epsilon());
}
