#include "engine/tokenizer/nfc.h"

#include <algorithm>
#include <utf8proc.h>
#include <vector>

namespace engine {

namespace {
    int combiningClass(utf8proc_int32_t codePoint)
    {
        return utf8proc_get_property(codePoint)->combining_class;
    }

    std::vector<utf8proc_int32_t> decomposed(std::string_view text)
    {
        constexpr auto kOptions = utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
        constexpr size_t kLongestDecomposition = 18; // code points, UAX 15 stabilised maximum
        std::vector<utf8proc_int32_t> codePoints;
        codePoints.reserve(text.size());
        const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
        size_t offset = 0;
        while (offset < text.size()) {
            utf8proc_int32_t codePoint = 0;
            const auto read = utf8proc_iterate(
                bytes + offset, utf8proc_ssize_t(text.size() - offset), &codePoint);
            if (read <= 0)
                return {};
            offset += size_t(read);
            utf8proc_int32_t parts[kLongestDecomposition];
            int boundClass = 0;
            const auto count = utf8proc_decompose_char(
                codePoint, parts, kLongestDecomposition, kOptions, &boundClass);
            if (count < 0 || size_t(count) > kLongestDecomposition)
                return {};
            codePoints.insert(codePoints.end(), parts, parts + count);
        }
        return codePoints;
    }

    /// Canonical ordering. The library's own is a bubble sort: quadratic in the number of marks.
    void orderMarks(std::vector<utf8proc_int32_t>& codePoints)
    {
        auto run = codePoints.begin();
        while (run != codePoints.end()) {
            run = std::find_if(
                run, codePoints.end(), [](auto c) { return combiningClass(c) != 0; });
            const auto runEnd = std::find_if(
                run, codePoints.end(), [](auto c) { return combiningClass(c) == 0; });
            std::stable_sort(
                run, runEnd, [](auto a, auto b) { return combiningClass(a) < combiningClass(b); });
            run = runEnd;
        }
    }
}

std::string normalizeNfc(std::string_view text)
{
    // Below U+0300 nothing changes: no marks, no code point with another canonical form.
    if (std::all_of(text.begin(), text.end(), [](char byte) { return uint8_t(byte) < 0xCC; }))
        return std::string(text);
    std::vector<utf8proc_int32_t> codePoints = decomposed(text);
    orderMarks(codePoints);
    const auto count = utf8proc_normalize_utf32(codePoints.data(),
        utf8proc_ssize_t(codePoints.size()), utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    if (count <= 0)
        return std::string(text); // not text that the library takes: better unchanged than lost
    std::string normalized;
    normalized.reserve(text.size());
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
        utf8proc_uint8_t bytes[4];
        const auto length = utf8proc_encode_char(codePoints[size_t(i)], bytes);
        normalized.append(reinterpret_cast<const char*>(bytes), size_t(length));
    }
    return normalized;
}

} // namespace engine
