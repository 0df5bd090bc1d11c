// The weights of one matrix of one tensor type (TYPE_*), at bindings 0 to 3.
#include "weight_units.glsl"
layout(binding = 0) uniform utextureBuffer Quants;
layout(binding = 1) uniform utextureBuffer Scales;
layout(binding = 2) uniform utextureBuffer HighBits;
layout(binding = 3) uniform utextureBuffer SuperScales;
#define TYPED(name) name
#include "weight_type.glsl"
