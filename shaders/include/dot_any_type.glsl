// dotRows for the tensor types that are defined as USE_*, chosen by a specialisation constant: the number of the type's row
// in the table of engine/kernels/weight_layout.cpp. Needs kMostRows and kTokens.
#include "weight_units.glsl"

#ifdef USE_F32
#define TYPE_F32
#define TYPED(name) name##_F32
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_F32
#endif

#ifdef USE_F16
#define TYPE_F16
#define TYPED(name) name##_F16
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_F16
#endif

#ifdef USE_BF16
#define TYPE_BF16
#define TYPED(name) name##_BF16
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_BF16
#endif

#ifdef USE_Q4_0
#define TYPE_Q4_0
#define TYPED(name) name##_Q4_0
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_Q4_0
#endif

#ifdef USE_Q4_1
#define TYPE_Q4_1
#define TYPED(name) name##_Q4_1
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_Q4_1
#endif

#ifdef USE_Q5_0
#define TYPE_Q5_0
#define TYPED(name) name##_Q5_0
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_Q5_0
#endif

#ifdef USE_Q8_0
#define TYPE_Q8_0
#define TYPED(name) name##_Q8_0
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_Q8_0
#endif

#ifdef USE_Q4_K
#define TYPE_Q4_K
#define TYPED(name) name##_Q4_K
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_Q4_K
#endif

#ifdef USE_Q5_K
#define TYPE_Q5_K
#define TYPED(name) name##_Q5_K
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_Q5_K
#endif

#ifdef USE_Q6_K
#define TYPE_Q6_K
#define TYPED(name) name##_Q6_K
#include "weight_type.glsl"
#include "dot_rows.glsl"
#undef TYPED
#undef TYPE_Q6_K
#endif

void dotRowsOf(int type, utextureBuffer quants, utextureBuffer scales, utextureBuffer high, utextureBuffer super,
    textureBuffer x, uint groupCount, int rowCount)
{
#ifdef USE_F32
    if (type == 0)
        dotRows_F32(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_F16
    if (type == 1)
        dotRows_F16(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_BF16
    if (type == 2)
        dotRows_BF16(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_Q4_0
    if (type == 3)
        dotRows_Q4_0(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_Q4_1
    if (type == 4)
        dotRows_Q4_1(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_Q5_0
    if (type == 5)
        dotRows_Q5_0(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_Q8_0
    if (type == 6)
        dotRows_Q8_0(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_Q4_K
    if (type == 7)
        dotRows_Q4_K(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_Q5_K
    if (type == 8)
        dotRows_Q5_K(quants, scales, high, super, x, groupCount, rowCount);
#endif
#ifdef USE_Q6_K
    if (type == 9)
        dotRows_Q6_K(quants, scales, high, super, x, groupCount, rowCount);
#endif
}
