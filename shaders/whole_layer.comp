#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// One layer of the model in one dispatch, for devices whose workgroups are seen to run side by side (meeting.glsl): the
// same operations in the same order of sums as matmul_normed (or rms_norm and matmul), rope_store, attention,
// attention_merge, matmul_residual and gate_up_normed, with a meeting of all workgroups where those have a barrier.
// Bindings: 0-19 planes of the weights (weight_layout.h) of qkv, of qkv's second type, output, gate and up, down;
// the rest by name below, with the shapes of those operations. One workgroup = one subgroup = a share of each operation.
// Spec constants: below. Sums in f32. Reference: ReferenceLayer.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int kMostRows = 8; // the larger of kRows and 2 * kGatePairs
const int kTokens = 1; // dot_any_type.glsl
layout(constant_id = 3) const bool kGelu = false;
layout(constant_id = 4) const bool kPostNorms = false;
layout(constant_id = 5) const int kPagePositions = 64;
layout(constant_id = 6) const bool kHeadNorm = false;
layout(constant_id = 7) const int kPairs = 32; // headDim / 2
layout(constant_id = 8) const int kHeads = 3;
layout(constant_id = 9) const int kVectors = 8;
layout(constant_id = 10) const int kQkvType = 0; // dot_any_type.glsl
layout(constant_id = 11) const int kSecondType = -1; // -1: q, k and v have one type
layout(constant_id = 12) const int kOutputType = 0;
layout(constant_id = 13) const int kGateUpType = 0;
layout(constant_id = 14) const int kDownType = 0;
layout(constant_id = 15) const int kRows = 8; // rows a lane
layout(constant_id = 16) const int kGatePairs = 4; // rows of gate a lane, and as many of up
layout(constant_id = 17) const bool kBiased = false;
layout(push_constant) uniform Shape {
    uint columnCount; // of the residual stream
    uint normStride; // texels of a row of the residual stream
    uint squaresStride; // texels
    uint squaresUsed; // texels
    uint qkvRowCount;
    uint secondRowCount;
    uint secondOffset; // column of qkv
    uint qkvStride; // floats
    uint headCount;
    uint kvHeadCount;
    uint groupSize;
    uint headUnits; // headDim / 8
    uint kOffset;
    uint vOffset;
    uint qStride; // floats
    uint splitRoom;
    uint window;
    uint attendedStride; // floats
    uint hiddenStride; // floats
    uint hiddenRowCount;
    float epsilon;
    float scale;
} shape;
layout(binding = 0) uniform utextureBuffer QkvQuants;
layout(binding = 1) uniform utextureBuffer QkvScales;
layout(binding = 2) uniform utextureBuffer QkvHighBits;
layout(binding = 3) uniform utextureBuffer QkvSuperScales;
layout(binding = 4) uniform utextureBuffer SecondQuants;
layout(binding = 5) uniform utextureBuffer SecondScales;
layout(binding = 6) uniform utextureBuffer SecondHighBits;
layout(binding = 7) uniform utextureBuffer SecondSuperScales;
layout(binding = 8) uniform utextureBuffer OutputQuants;
layout(binding = 9) uniform utextureBuffer OutputScales;
layout(binding = 10) uniform utextureBuffer OutputHighBits;
layout(binding = 11) uniform utextureBuffer OutputSuperScales;
layout(binding = 12) uniform utextureBuffer GateUpQuants;
layout(binding = 13) uniform utextureBuffer GateUpScales;
layout(binding = 14) uniform utextureBuffer GateUpHighBits;
layout(binding = 15) uniform utextureBuffer GateUpSuperScales;
layout(binding = 16) uniform utextureBuffer DownQuants;
layout(binding = 17) uniform utextureBuffer DownScales;
layout(binding = 18) uniform utextureBuffer DownHighBits;
layout(binding = 19) uniform utextureBuffer DownSuperScales;
layout(binding = 20) uniform utextureBuffer Rows; // [1] (token, position, table, -)
layout(binding = 21) uniform utextureBuffer Tables;
layout(binding = 22) uniform textureBuffer Fine; // rotations
layout(binding = 23) uniform textureBuffer Coarse;
layout(binding = 24) uniform textureBuffer NormWeight; // of q and k heads
layout(binding = 25) uniform textureBuffer Bias; // of qkv
layout(binding = 26) uniform textureBuffer SecondBias;
layout(binding = 27) uniform textureBuffer AttentionNorm; // weights, four to a texel
layout(binding = 28) uniform textureBuffer AttentionPostNorm;
layout(binding = 29) uniform textureBuffer FeedForwardNorm;
layout(binding = 30) uniform textureBuffer FeedForwardPostNorm;
layout(binding = 31) uniform textureBuffer NextOfAttention; // weights of the next norm, one to a texel
layout(binding = 32) uniform textureBuffer NextOfFeedForward;
layout(binding = 33) uniform textureBuffer Residual;
layout(binding = 34) uniform textureBuffer Normed; // what the products read: normed, or scaled by the norm's weight
layout(binding = 35) uniform textureBuffer Squares;
layout(binding = 36) uniform textureBuffer Branch;
layout(binding = 37) uniform textureBuffer Qkv; // floats
layout(binding = 38) uniform textureBuffer Q;
layout(binding = 39) uniform utextureBuffer Keys;
layout(binding = 40) uniform utextureBuffer Values;
layout(binding = 41) uniform textureBuffer Partial; // floats
layout(binding = 42) uniform textureBuffer AttendedTexels;
layout(binding = 43) uniform textureBuffer HiddenTexels;
layout(binding = 44) buffer ResidualBuffer { float residual[]; };
layout(binding = 45) buffer NormedBuffer { float normed[]; };
layout(binding = 46) buffer SquaresBuffer { float squares[]; };
layout(binding = 47) buffer BranchBuffer { float branch[]; };
layout(binding = 48) buffer QkvBuffer { float qkv[]; };
layout(binding = 49) buffer QBuffer { float q[]; };
layout(binding = 50) buffer KeysBuffer { float16_t keys[]; };
layout(binding = 51) buffer ValuesBuffer { float16_t values[]; };
layout(binding = 52) buffer PartialBuffer { float partial[]; };
layout(binding = 53) buffer AttendedBuffer { float attended[]; };
layout(binding = 54) buffer HiddenBuffer { float hidden[]; };
layout(binding = 55) coherent buffer Meeting { uint arrivals; uint failures; uint roundsTaken; };
#include "meeting.glsl"
#include "work_share.glsl"
#include "activation.glsl"
#include "dot_any_type.glsl"
uint squaresStride() { return shape.squaresStride; }
uint squaresUsed() { return shape.squaresUsed; }
uint columnCount() { return shape.columnCount; }
float epsilon() { return shape.epsilon; }
#include "norm_scale.glsl"
#include "norm_row.glsl"
#include "rope_head.glsl"
#include "attend_split.glsl"
#include "join_splits.glsl"

uint lanes() { return gl_WorkGroupSize.x; }
uint lane() { return gl_LocalInvocationID.x; }
uint itemsOf(uint rowCount, int rowsPerLane)
{
    return (rowCount + rowsPerLane * lanes() - 1) / (rowsPerLane * lanes());
}

// A walk over this workgroup's share of the items, one item a tile of rows; the body runs at least once.
struct Walk {
    uint item;
    uint end;
    bool valid;
};
Walk startWalk(uint itemCount)
{
    Walk walk;
    walk.item = shareStart(itemCount);
    walk.end = shareEnd(itemCount);
    walk.valid = walk.item < walk.end;
    dotStart[0] = epoch; // of now: there was a meeting
    return walk;
}
bool next(inout Walk walk) { return ++walk.item < walk.end; }
uint rowAt(Walk walk, int rowsPerLane, int r) { return (walk.item * rowsPerLane + r) * lanes() + lane(); }
void setRows(Walk walk, int rowsPerLane)
{
    [[unroll]] for (int r = 0; r < rowsPerLane; ++r)
        dotRow[r] = rowAt(walk, rowsPerLane, r);
}
float factor() { return kPostNorms ? 1.0 : normFactor(0); }

// rms_norm: normed = norm(residual).
void normRow(textureBuffer weight)
{
    if (gl_WorkGroupID.x > 0)
        return;
    const float factor = normRowFactor(Residual, 0);
    for (uint i = lane(); i < shape.normStride; i += lanes()) {
        const vec4 v = normedTexel(Residual, weight, 0, i, factor);
        [[unroll]] for (int c = 0; c < 4; ++c)
            normed[i * 4 + c] = v[c];
    }
}

// rms_norm that adds: residual += norm(branch).
void addNormedBranch(textureBuffer weight)
{
    if (gl_WorkGroupID.x > 0)
        return;
    const float factor = normRowFactor(Branch, 0);
    for (uint i = lane(); i < shape.normStride; i += lanes()) {
        const vec4 v = normedTexel(Branch, weight, 0, i, factor);
        [[unroll]] for (int c = 0; c < 4; ++c)
            residual[i * 4 + c] = residual[i * 4 + c] + v[c];
    }
}

// matmul_normed or matmul: rows of q, k and v of one tensor type.
void storeQkv(Walk walk, int rowsPerLane, uint rowCount, uint offset, textureBuffer bias)
{
    const float scale = factor();
    [[unroll]] for (int r = 0; r < rowsPerLane; ++r) {
        const uint row = rowAt(walk, rowsPerLane, r);
        float value = scale * sums[r];
        if (kBiased)
            value += texelFetch(bias, int(row)).x;
        if (walk.valid && row < rowCount)
            qkv[offset + row] = value;
    }
}
void queryKeyValue()
{
    Walk walk = startWalk(itemsOf(shape.qkvRowCount, kRows));
    do {
        setRows(walk, kRows);
        dotRowsOf(kQkvType, QkvQuants, QkvScales, QkvHighBits, QkvSuperScales, Normed, shape.normStride / 16, kRows);
        storeQkv(walk, kRows, shape.qkvRowCount, 0, Bias);
    } while (next(walk));
    if (kSecondType >= 0) {
        walk = startWalk(itemsOf(shape.secondRowCount, kRows));
        do {
            setRows(walk, kRows);
            dotRowsOf(kSecondType, SecondQuants, SecondScales, SecondHighBits, SecondSuperScales, Normed,
                shape.normStride / 16, kRows);
            storeQkv(walk, kRows, shape.secondRowCount, shape.secondOffset, SecondBias);
        } while (next(walk));
    }
}

void storeHeads()
{
    const uint headCount = shape.headCount + 2 * shape.kvHeadCount;
    for (uint head = shareStart(headCount); head < shareEnd(headCount); ++head)
        storeHead(head, 0);
}

uint splitCount() { return texelFetch(Rows, 0).y / (2 * kPagePositions) + 1; }

void attend(uint splits)
{
    const uint headTiles = shape.kvHeadCount * ((shape.groupSize + kHeads - 1) / kHeads);
    const uint itemCount = splits * headTiles;
    const uint end = shareEnd(itemCount);
    uint item = shareStart(itemCount);
    if (item == end)
        return; // only where there are fewer items than workgroups
    do {
        attendSplit(item % headTiles, item / headTiles, 0, splits == 1);
    } while (++item < end);
}

void join(uint splits)
{
    const uint headCount = splits == 1 ? 0 : shape.headCount;
    for (uint head = shareStart(headCount); head < shareEnd(headCount); ++head)
        joinSplits(head, 0);
}

// The end of a branch: matmul_residual, or matmul into the branch that a post-norm reads.
void storeBranch(Walk walk, int rowsPerLane, textureBuffer nextWeight)
{
    float squareSum = 0.0;
    [[unroll]] for (int r = 0; r < rowsPerLane; ++r) {
        const uint row = rowAt(walk, rowsPerLane, r);
        const bool isStored = walk.valid && row < shape.normStride * 4;
        if (kPostNorms) {
            if (isStored)
                branch[row] = sums[r];
        } else {
            const float weight = texelFetch(nextWeight, int(row)).x;
            if (isStored) {
                const float value = residual[row] + sums[r];
                residual[row] = value;
                normed[row] = value * weight;
                squareSum += value * value;
            }
        }
    }
    if (!kPostNorms) {
        squareSum = subgroupAdd(squareSum);
        if (walk.valid && lane() == 0)
            squares[walk.item] = squareSum;
    }
}
void attentionOutput()
{
    Walk walk = startWalk(itemsOf(shape.normStride * 4, kRows));
    do {
        setRows(walk, kRows);
        dotRowsOf(kOutputType, OutputQuants, OutputScales, OutputHighBits, OutputSuperScales, AttendedTexels,
            shape.attendedStride / 64, kRows);
        storeBranch(walk, kRows, NextOfAttention);
    } while (next(walk));
}
void down()
{
    Walk walk = startWalk(itemsOf(shape.normStride * 4, kRows));
    do {
        setRows(walk, kRows);
        dotRowsOf(kDownType, DownQuants, DownScales, DownHighBits, DownSuperScales, HiddenTexels,
            shape.hiddenStride / 64, kRows);
        storeBranch(walk, kRows, NextOfFeedForward);
    } while (next(walk));
}

// gate_up_normed or gate_up.
void gateUp()
{
    Walk walk = startWalk(itemsOf(shape.hiddenRowCount, kGatePairs));
    do {
        [[unroll]] for (int r = 0; r < kGatePairs; ++r) {
            dotRow[r] = rowAt(walk, kGatePairs, r);
            dotRow[r + kGatePairs] = dotRow[r] + shape.hiddenRowCount;
        }
        dotRowsOf(kGateUpType, GateUpQuants, GateUpScales, GateUpHighBits, GateUpSuperScales, Normed,
            shape.normStride / 16, 2 * kGatePairs);
        const float scale = factor();
        [[unroll]] for (int r = 0; r < kGatePairs; ++r) {
            const uint row = rowAt(walk, kGatePairs, r);
            const float gate = scale * sums[r];
            const float up = scale * sums[r + kGatePairs];
            const float value = activate(gate, kGelu) * up;
            if (walk.valid && row < shape.hiddenRowCount)
                hidden[row] = value;
        }
    } while (next(walk));
}

void main()
{
    startMeetings();
    if (kPostNorms) {
        normRow(AttentionNorm);
        meet();
    }
    queryKeyValue();
    meet();
    storeHeads();
    meet();
    const uint splits = splitCount();
    attend(splits);
    meet();
    join(splits);
    meet();
    attentionOutput();
    meet();
    if (kPostNorms) {
        addNormedBranch(AttentionPostNorm);
        normRow(FeedForwardNorm);
        meet();
    }
    gateUp();
    meet();
    down();
    if (kPostNorms) {
        meet();
        addNormedBranch(FeedForwardPostNorm);
    }
    endMeetings();
}
