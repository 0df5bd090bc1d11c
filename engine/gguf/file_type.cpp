#include "engine/gguf/file_type.h"

#include <algorithm>
#include <array>
#include <map>

namespace engine {

namespace {
    constexpr std::array kFileTypes {
        FileTypeInfo { 0, "F32" },
        FileTypeInfo { 1, "F16" },
        FileTypeInfo { 2, "Q4_0" },
        FileTypeInfo { 3, "Q4_1" },
        FileTypeInfo { 7, "Q8_0" },
        FileTypeInfo { 8, "Q5_0" },
        FileTypeInfo { 9, "Q5_1" },
        FileTypeInfo { 10, "Q2_K" },
        FileTypeInfo { 11, "Q3_K_S" },
        FileTypeInfo { 12, "Q3_K_M" },
        FileTypeInfo { 13, "Q3_K_L" },
        FileTypeInfo { 14, "Q4_K_S" },
        FileTypeInfo { 15, "Q4_K_M" },
        FileTypeInfo { 16, "Q5_K_S" },
        FileTypeInfo { 17, "Q5_K_M" },
        FileTypeInfo { 18, "Q6_K" },
        FileTypeInfo { 19, "IQ2_XXS" },
        FileTypeInfo { 20, "IQ2_XS" },
        FileTypeInfo { 21, "Q2_K_S" },
        FileTypeInfo { 22, "IQ3_XS" },
        FileTypeInfo { 23, "IQ3_XXS" },
        FileTypeInfo { 24, "IQ1_S" },
        FileTypeInfo { 25, "IQ4_NL" },
        FileTypeInfo { 26, "IQ3_S" },
        FileTypeInfo { 27, "IQ3_M" },
        FileTypeInfo { 28, "IQ2_S" },
        FileTypeInfo { 29, "IQ2_M" },
        FileTypeInfo { 30, "IQ4_XS" },
        FileTypeInfo { 31, "IQ1_M" },
        FileTypeInfo { 32, "BF16" },
        FileTypeInfo { 36, "TQ1_0" },
        FileTypeInfo { 37, "TQ2_0" },
        FileTypeInfo { 38, "MXFP4" },
    };

    std::string typeOfMostBytes(const GgufFile& file)
    {
        std::map<TensorType, uint64_t> bytesByType;
        for (const TensorInfo& tensor : file.tensors())
            bytesByType[tensor.type] += tensor.bytes;
        const auto most = std::ranges::max_element(
            bytesByType, {}, [](const auto& share) { return share.second; });
        return most == bytesByType.end() ? std::string() : tensorTypeInfo(most->first).name;
    }
}

std::span<const FileTypeInfo> fileTypeTable() { return kFileTypes; }

std::string quantizationName(const GgufFile& file)
{
    const auto number = file.metadata().getUint32("general.file_type");
    // Absent, of another kind, or a number of a later time: then the tensors say it.
    const auto row = number ? std::ranges::find(kFileTypes, *number, &FileTypeInfo::number) : kFileTypes.end();
    return row != kFileTypes.end() ? row->name : typeOfMostBytes(file);
}

} // namespace engine
