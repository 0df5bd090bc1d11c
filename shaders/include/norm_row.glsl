// RMSNorm of one row by one subgroup; a lane takes the texels lane, lane + lanes, ... Needs epoch, and
// shape.{columnCount, normStride (texels), epsilon}. Sum of squares: per lane in order, then across the subgroup.
float normRowFactor(textureBuffer x, uint first)
{
    float squares = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < shape.normStride; i += gl_WorkGroupSize.x) {
        const vec4 v = texelFetch(x, int(first + i + epoch));
        squares += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
    return 1.0 / sqrt(subgroupAdd(squares) / float(int(shape.columnCount)) + shape.epsilon);
}

vec4 normedTexel(textureBuffer x, textureBuffer weight, uint first, uint i, float factor)
{
    return texelFetch(x, int(first + i + epoch)) * factor * texelFetch(weight, int(i));
}
