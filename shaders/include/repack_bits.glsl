// Bits of quantBlocks, moved: what engine/kernels/weight_layout.cpp does to bytes, for words of four.

// The low (shift 0) or high (shift 4) nibbles of 4 bytes, in order.
uint nibblesOf4(uint bytes, uint shift)
{
    uint packed = bytes >> shift & 0x0F0F0F0Fu;
    packed = (packed | packed >> 4) & 0x00FF00FFu;
    return (packed | packed >> 8) & 0xFFFFu;
}
uint nibblesOf8(uvec2 bytes, uint shift) { return nibblesOf4(bytes.x, shift) | nibblesOf4(bytes.y, shift) << 16; }
uvec4 nibblesOf32(uvec4 first, uvec4 second, uint shift)
{
    return uvec4(nibblesOf8(first.xy, shift), nibblesOf8(first.zw, shift), nibblesOf8(second.xy, shift),
        nibblesOf8(second.zw, shift));
}

// Bit `index` of each of 4 bytes, in order.
uint bitOf4(uint bytes, uint index)
{
    const uint bits = bytes >> index & 0x01010101u;
    return (bits | bits >> 7 | bits >> 14 | bits >> 21) & 15u;
}

// Bits `index` and the next of each of 4 bytes, in order.
uint pairsOf4(uint bytes, uint index)
{
    const uint pairs = bytes >> index & 0x03030303u;
    return (pairs | pairs >> 6 | pairs >> 12 | pairs >> 18) & 255u;
}

// d and dmin of Q4_K or Q5_K, and its 12 bytes of scales and minima of 6 bits, as one unit.
uvec4 scalesOfK(uint head, uvec3 packed)
{
    uvec4 unit = uvec4(head, 0, 0, 0);
    [[unroll]] for (uint j = 0; j < 8; ++j) {
        const uint shift = 8 * (j % 4);
        const uint first = packed.x >> shift & 255u;
        const uint second = packed.y >> shift & 255u;
        const uint third = packed.z >> shift & 255u;
        const uint scale = j < 4 ? first & 63u : (third & 15u) | first >> 6 << 4;
        const uint minimum = j < 4 ? second & 63u : third >> 4 | second >> 6 << 4;
        unit.y |= (scale & 15u) << 4 * j;
        unit.z |= (minimum & 15u) << 4 * j;
        unit.w |= scale >> 4 << 2 * j | minimum >> 4 << (16 + 2 * j);
    }
    return unit;
}

// A half as the bits of a float, exactly, subnormal ones too.
uint floatBitsOfHalf(uint bits)
{
    const uint sign = (bits & 0x8000u) << 16;
    const uint exponent = bits >> 10 & 31u;
    const uint mantissa = bits & 1023u;
    if (exponent == 0)
        return sign | floatBitsToUint(float(mantissa) * uintBitsToFloat(0x33800000u)); // 2^-24
    return sign | (exponent == 31 ? 0x7F800000u : (exponent + 112) << 23) | mantissa << 13;
}
