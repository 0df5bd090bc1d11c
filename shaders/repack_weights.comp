#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
// Rows of quantBlocks as a file has them, written into the planes of weight_layout.h; padding is left alone.
// Bindings: 0 bytes of the file, 1-4 planes [tile][unit along k][64 rows] of a run of tiles (an absent one is not touched).
// One workgroup = lanes rows of the file, 64 columns of them (256 of a K type); a lane is a row.
// Spec constants: 0 lanes, 1 tensor type (its number in GGUF).
// No sums: bits are moved. Reference: packTile.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kType = 0;
layout(push_constant) uniform Shape {
    uint rowCount; // in raw
    uint rowBytes;
    uint rawOffset; // of the first row, bytes
    uint firstRow; // of these rows among those of their tensor
    uint headDim; // rows of so many are split into even and odd ones for RoPE; 0: kept in order
    uint rowOffset; // of the tensor's first row from the first bound one, modulo 2^32
    uint boundRowCount; // rows that go elsewhere are skipped
    uint columnCount;
    uint quantUnits; // of a row, for each plane
    uint scaleUnits;
    uint highUnits;
    uint superUnits;
} shape;
layout(binding = 0) readonly buffer Raw { uint raw[]; };
layout(binding = 1) writeonly buffer Quants { uvec4 quants[]; };
#include "repack_bits.glsl"

uint rowStart; // bytes
uint tile;
uint rowOfTile;

uint at(uint units, uint unit) { return (tile * units + unit) * 64 + rowOfTile; }

// Four bytes of this row, from any byte on.
uint word(uint offset)
{
    const uint first = rowStart + offset;
    const uint shift = first % 4 * 8;
    const uint low = raw[first / 4];
    return shift == 0 ? low : low >> shift | raw[first / 4 + 1] << (32 - shift);
}

#ifdef FAMILY_PLAIN
uint wordOrZeros(uint offset)
{
    if (offset >= shape.rowBytes)
        return 0;
    const uint rest = shape.rowBytes - offset;
    return rest >= 4 ? word(offset) : word(offset) & ((1u << 8 * rest) - 1);
}
void repack(uint group)
{
    const uint unitsOfGroup = kType == 0 ? 16 : 8;
    for (uint unit = group * unitsOfGroup; unit < (group + 1) * unitsOfGroup; ++unit) {
        uvec4 words;
        [[unroll]] for (int i = 0; i < 4; ++i)
            words[i] = wordOrZeros(unit * 16 + 4 * i);
        quants[at(shape.quantUnits, unit)] = words;
    }
}
#endif

#ifdef FAMILY_32 // a scale for 32 columns: Q4_0 (2), Q4_1 (3), Q5_0 (6), Q8_0 (8)
layout(binding = 2) writeonly buffer Scales { uint scales[]; };
layout(binding = 3) writeonly buffer HighBits { uvec2 highBits[]; };
const uint kBlockBytes = kType == 8 ? 34 : kType == 6 ? 22 : kType == 3 ? 20 : 18;
const uint kHeadBytes = kType == 6 ? 6 : kType == 3 ? 4 : 2; // before the quants
void repack(uint group)
{
    uvec2 pairs = uvec2(0); // (d, m) of Q4_1
    uvec2 fifth = uvec2(0);
    [[unroll]] for (uint c = 0; c < 2; ++c) {
        const uint chunk = group * 2 + c;
        if (chunk * 32 < shape.columnCount) {
            const uint block = chunk * kBlockBytes;
            pairs[c] = word(block);
            uvec4 first;
            [[unroll]] for (uint i = 0; i < 4; ++i)
                first[i] = word(block + kHeadBytes + 4 * i);
            if (kType == 8) {
                uvec4 second;
                [[unroll]] for (uint i = 0; i < 4; ++i)
                    second[i] = word(block + kHeadBytes + 16 + 4 * i);
                quants[at(shape.quantUnits, chunk * 2)] = first;
                quants[at(shape.quantUnits, chunk * 2 + 1)] = second;
            } else {
                quants[at(shape.quantUnits, chunk)] = uvec4(nibblesOf8(first.xy, 0), nibblesOf8(first.zw, 0),
                    nibblesOf8(first.xy, 4), nibblesOf8(first.zw, 4));
            }
            if (kType == 6)
                fifth[c] = word(block + 2);
        }
    }
    const uint scale = at(shape.scaleUnits, group);
    if (kType == 3) {
        scales[2 * scale] = pairs.x;
        scales[2 * scale + 1] = pairs.y;
    } else {
        scales[scale] = (pairs.x & 0xFFFFu) | pairs.y << 16;
    }
    if (kType == 6)
        highBits[at(shape.highUnits, group)] = fifth;
}
#endif

#ifdef FAMILY_K45 // Q4_K (12), Q5_K (13)
layout(binding = 2) writeonly buffer Scales { uvec4 scales[]; };
layout(binding = 3) writeonly buffer HighBits { uvec2 highBits[]; };
const bool kFive = kType == 13;
const uint kBlockBytes = kFive ? 176 : 144;
void repack(uint super)
{
    const uint block = super * kBlockBytes;
    scales[at(shape.scaleUnits, super)]
        = scalesOfK(word(block), uvec3(word(block + 4), word(block + 8), word(block + 12)));
    uint fifthBytes[8];
    if (kFive)
        [[unroll]] for (uint i = 0; i < 8; ++i)
            fifthBytes[i] = word(block + 16 + 4 * i);
    [[unroll]] for (uint pair = 0; pair < 4; ++pair) { // of chunks: low and high nibbles of 32 bytes
        uvec4 first;
        uvec4 second;
        [[unroll]] for (uint i = 0; i < 4; ++i) {
            first[i] = word(block + (kFive ? 48 : 16) + 32 * pair + 4 * i);
            second[i] = word(block + (kFive ? 48 : 16) + 32 * pair + 16 + 4 * i);
        }
        quants[at(shape.quantUnits, super * 8 + 2 * pair)] = nibblesOf32(first, second, 0);
        quants[at(shape.quantUnits, super * 8 + 2 * pair + 1)] = nibblesOf32(first, second, 4);
        if (kFive) {
            uvec2 fifth = uvec2(0);
            [[unroll]] for (uint c = 0; c < 2; ++c)
                [[unroll]] for (uint i = 0; i < 8; ++i)
                    fifth[c] |= bitOf4(fifthBytes[i], 2 * pair + c) << 4 * i;
            highBits[at(shape.highUnits, super * 4 + pair)] = fifth;
        }
    }
}
#endif

#ifdef FAMILY_K6 // Q6_K: 128 bytes of low nibbles, 64 of high pairs, 16 scales, d
layout(binding = 2) writeonly buffer Scales { uvec4 scales[]; };
layout(binding = 3) writeonly buffer HighBits { uvec4 highBits[]; };
layout(binding = 4) writeonly buffer SuperScales { uint superScales[]; };
void repack(uint super)
{
    const uint block = super * 210;
    uvec4 scale;
    [[unroll]] for (uint i = 0; i < 4; ++i)
        scale[i] = word(block + 192 + 4 * i);
    scales[at(shape.scaleUnits, super)] = scale;
    superScales[at(shape.superUnits, super)] = floatBitsOfHalf(word(block + 208) & 0xFFFFu);
    [[unroll]] for (uint part = 0; part < 2; ++part) { // of 128 columns: chunks n = 0 .. 3
        uint high[8];
        [[unroll]] for (uint i = 0; i < 8; ++i)
            high[i] = word(block + 128 + 32 * part + 4 * i);
        [[unroll]] for (uint n = 0; n < 2; ++n) {
            uvec4 first;
            uvec4 second;
            [[unroll]] for (uint i = 0; i < 4; ++i) {
                first[i] = word(block + 64 * part + 32 * n + 4 * i);
                second[i] = word(block + 64 * part + 32 * n + 16 + 4 * i);
            }
            quants[at(shape.quantUnits, super * 8 + part * 4 + n)] = nibblesOf32(first, second, 0);
            quants[at(shape.quantUnits, super * 8 + part * 4 + n + 2)] = nibblesOf32(first, second, 4);
        }
        [[unroll]] for (uint side = 0; side < 2; ++side) { // chunks 2 side and 2 side + 1
            uvec4 pairs = uvec4(0);
            [[unroll]] for (uint w = 0; w < 4; ++w)
                [[unroll]] for (uint i = 0; i < 4; ++i)
                    pairs[w] |= pairsOf4(high[w % 2 * 4 + i], 4 * side + 2 * (w / 2)) << 8 * i;
            highBits[at(shape.highUnits, super * 4 + part * 2 + side)] = pairs;
        }
    }
}
#endif

void main()
{
    const uint sourceRow = gl_GlobalInvocationID.x;
    if (sourceRow >= shape.rowCount)
        return;
    uint row = shape.firstRow + sourceRow;
    if (shape.headDim > 0) {
        const uint inHead = row % shape.headDim;
        row = row - inHead + inHead / 2 + inHead % 2 * (shape.headDim / 2);
    }
    row += shape.rowOffset;
    if (row >= shape.boundRowCount)
        return;
    rowStart = shape.rawOffset + sourceRow * shape.rowBytes;
    tile = row / 64;
    rowOfTile = row % 64;
    repack(gl_WorkGroupID.y);
}
