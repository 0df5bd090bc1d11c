// The function on the gate of the feed-forward network. Reference: silu, geluTanh.
float activate(float x, bool gelu)
{
    if (gelu) {
        const float u = 0.7978845608028654 * (x + 0.044715 * x * x * x);
        const float e = exp(-2.0 * abs(u));
        const float tanhAbs = (1.0 - e) / (1.0 + e);
        return 0.5 * x * (1.0 + (u < 0.0 ? -tanhAbs : tanhAbs));
    }
    return x / (1.0 + exp(-x));
}
