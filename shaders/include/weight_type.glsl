// How weights of one tensor type are read, and the dot product over them. Included once for each type that a shader
// uses, with TYPE_* (the tensor type) and TYPED(name) (the names of this type's functions) defined. Planes are units, [tile of 64 rows][unit along k][row of the tile], so that neighbouring rows are
// neighbours in memory and a tile is one stream. One row is one lane. The planes, and which bit of them is which weight:
// engine/kernels/weight_layout.h.

#undef QUANT_TEXELS
#undef SUBS
#undef SCALED
#undef HAS_MIN
#undef WEIGHT
#undef NIBBLE
#undef SIX_HIGH

// QUANT_TEXELS: fetches of Quants for 32 weights. SUBS: parts of a chunk with scales of their own.
// SCALED: weights are integers times a scale; HAS_MIN: plus a constant per part.
#if defined(TYPE_F32)
#define QUANT_TEXELS 8
#elif defined(TYPE_F16) || defined(TYPE_BF16)
#define QUANT_TEXELS 4
#elif defined(TYPE_Q8_0)
#define QUANT_TEXELS 2
#define SCALED
#else
#define QUANT_TEXELS 1
#define SCALED
#define HAS_MIN
#endif
#ifdef TYPE_Q6_K
#define SUBS 2
#else
#define SUBS 1
#endif

GroupScales TYPED(loadScales)(utextureBuffer scalePlane, utextureBuffer highPlane, utextureBuffer superPlane, uint group,
    uint groupCount, uint row)
{
    GroupScales g;
    g.scales = uvec4(0);
    g.high = uvec4(0);
    g.top = 0;
#if defined(TYPE_Q4_0) || defined(TYPE_Q4_1) || defined(TYPE_Q5_0) || defined(TYPE_Q8_0)
    g.scales = texelFetch(scalePlane, unitAt(group, groupCount, row));
#elif defined(TYPE_Q4_K) || defined(TYPE_Q5_K) || defined(TYPE_Q6_K)
    g.scales = texelFetch(scalePlane, unitAt(group >> 2, groupCount >> 2, row));
#endif
#if defined(TYPE_Q5_0) || defined(TYPE_Q5_K) || defined(TYPE_Q6_K)
    g.high = texelFetch(highPlane, unitAt(group, groupCount, row));
#endif
#if defined(TYPE_Q6_K)
    g.top = texelFetch(superPlane, unitAt(group >> 2, groupCount >> 2, row)).x;
#endif
    return g;
}

// (scale, constant) of part `sub` of chunk `c` (0 or 1) of the group.
vec2 TYPED(scaleOf)(GroupScales g, uint group, int c, int sub)
{
#if defined(TYPE_Q4_1)
    return unpackHalf2x16(g.scales[c]);
#elif defined(TYPE_Q4_0)
    const float d = unpackHalf2x16(g.scales.x)[c];
    return vec2(d, -8.0 * d);
#elif defined(TYPE_Q5_0)
    const float d = unpackHalf2x16(g.scales.x)[c];
    return vec2(d, -16.0 * d);
#elif defined(TYPE_Q8_0)
    return vec2(unpackHalf2x16(g.scales.x)[c] * 5.9604644775390625e-8, 0.0); // 2^-24: see WEIGHT
#elif defined(TYPE_Q4_K) || defined(TYPE_Q5_K)
    const uint b = (group & 3u) * 2u + uint(c);
    const vec2 d = unpackHalf2x16(g.scales.x);
    const uint scale = ((g.scales.y >> (4u * b)) & 15u) | (((g.scales.w >> (2u * b)) & 3u) << 4u);
    const uint least = ((g.scales.z >> (4u * b)) & 15u) | (((g.scales.w >> (16u + 2u * b)) & 3u) << 4u);
    return vec2(d.x * float(int(scale)), -(d.y * float(int(least))));
#elif defined(TYPE_Q6_K)
    const uint word = g.scales[group & 3u];
    const float d = uintBitsToFloat(g.top) * float(bitfieldExtract(int(word), 8 * (2 * c + sub), 8));
    return vec2(d, -32.0 * d);
#else
    return vec2(1.0, 0.0);
#endif
}

// Weight i (0 .. 31, a constant after unrolling) of the chunk whose fetches start at quants[first].
#if defined(TYPE_F32)
#define WEIGHT(quants, first, g, c, i) uintBitsToFloat(quants[(first) + (i) / 4][(i) % 4])
#elif defined(TYPE_F16)
#define WEIGHT(quants, first, g, c, i) unpackHalf2x16(quants[(first) + (i) / 8][((i) % 8) / 2])[(i) % 2]
#elif defined(TYPE_BF16)
#define WEIGHT(quants, first, g, c, i)                                                                                 \
    uintBitsToFloat((i) % 2 == 0 ? quants[(first) + (i) / 8][((i) % 8) / 2] << 16                                      \
                                 : quants[(first) + (i) / 8][((i) % 8) / 2] & 0xFFFF0000u)
#elif defined(TYPE_Q8_0)
// The byte stays at the top of its word, so that its sign needs no shift: 2^24 times the weight, and exactly that.
#define WEIGHT(quants, first, g, c, i)                                                                                 \
    float(int((quants[(first) + (i) / 16][((i) % 16) / 4] << (24 - 8 * ((i) % 4))) & 0xFF000000u))
#else
#define NIBBLE(quants, first, i) ((quants[first][(i) / 8] >> (4 * ((i) % 8))) & 15u)
#if defined(TYPE_Q5_0) || defined(TYPE_Q5_K)
#define WEIGHT(quants, first, g, c, i)                                                                                 \
    float(int(NIBBLE(quants, first, i) | ((i) < 4 ? (g.high[c] << (4 - (i))) & 16u : (g.high[c] >> ((i) - 4)) & 16u)))
#elif defined(TYPE_Q6_K)
#define SIX_HIGH(g, c, i) g.high[2 * (c) + (i) / 16]
#define WEIGHT(quants, first, g, c, i)                                                                                 \
    float(int(NIBBLE(quants, first, i)                                                                                 \
        | ((i) % 16 < 2 ? (SIX_HIGH(g, c, i) << (4 - 2 * ((i) % 16))) & 48u                                            \
                        : (SIX_HIGH(g, c, i) >> (2 * ((i) % 16) - 4)) & 48u)))
#else
#define WEIGHT(quants, first, g, c, i) float(int(NIBBLE(quants, first, i)))
#endif
#endif
