// A row of scores as texels; what lies past the last score reads as the lowest float.
// Needs Scores (f32x4), firstTexel() and scoreCount().
const uint kBlockTexels = 16; // of 64 scores
const uint kGroupBlocks = 64;
const float kLowest = -3.4028235e38;
const float kLeast = -87.0; // exp of it is nothing beside the largest

vec4 scoresAt(uint texel)
{
    vec4 s = vec4(kLowest);
    if (texel * 4 < scoreCount())
        s = texelFetch(Scores, int(firstTexel() + texel));
    const uint known = scoreCount() - min(scoreCount(), texel * 4);
    return vec4(s.x, known > 1 ? s.y : kLowest, known > 2 ? s.z : kLowest, known > 3 ? s.w : kLowest);
}
