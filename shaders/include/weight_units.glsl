// What all tensor types share of the packed layout (engine/kernels/weight_layout.h).

// The texel of a plane that holds this unit of this row.
int unitAt(uint unit, uint unitCount, uint row) { return int(((row >> 6) * unitCount + unit) * 64 + (row & 63)); }

// What 64 weights of one row share.
struct GroupScales {
    uvec4 scales;
    uvec4 high;
    uint top;
};
