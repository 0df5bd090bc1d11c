#include "tests/support/gguf_writer.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

namespace tests {

namespace {
    void pad(std::string& bytes, uint32_t alignment)
    {
        while (alignment > 0 && bytes.size() % alignment != 0)
            bytes += '\0';
    }
}

std::string GgufWriter::stringBytes(std::string_view text)
{
    return bytesOf(uint64_t(text.size())) + std::string(text);
}

void GgufWriter::strings(const std::string& key, const std::vector<std::string>& texts)
{
    std::string bytes = bytesOf(uint32_t(String)) + bytesOf(uint64_t(texts.size()));
    for (const std::string& text : texts)
        bytes += stringBytes(text);
    addKey(key, Array, bytes);
}

void GgufWriter::addKey(const std::string& key, uint32_t type, const std::string& valueBytes)
{
    m_keys.emplace_back(key, bytesOf(type) + valueBytes);
}

void GgufWriter::f32Tensor(
    const std::string& name, const std::vector<uint64_t>& dimensions, float value)
{
    uint64_t count = 1;
    for (uint64_t dimension : dimensions)
        count *= dimension;
    std::string bytes;
    for (uint64_t i = 0; i < count; ++i)
        bytes += bytesOf(value);
    tensor({ .name = name, .dimensions = dimensions, .bytes = bytes });
}

std::string GgufWriter::bytes() const
{
    const auto chosen
        = [](uint64_t written, uint64_t real) { return written == kTrueCount ? real : written; };
    std::string header = "GGUF" + bytesOf(version)
        + bytesOf(chosen(tensorCountWritten, m_tensors.size()))
        + bytesOf(chosen(keyCountWritten, m_keys.size()));
    for (const auto& [key, value] : m_keys)
        header += stringBytes(key) + value;
    std::string section;
    for (const Tensor& tensor : m_tensors) {
        pad(section, alignment);
        header += stringBytes(tensor.name) + bytesOf(uint32_t(tensor.dimensions.size()));
        for (uint64_t dimension : tensor.dimensions)
            header += bytesOf(dimension);
        header += bytesOf(tensor.type) + bytesOf(chosen(tensor.offsetWritten, section.size()));
        section += tensor.bytes;
    }
    if (!m_tensors.empty())
        pad(header, alignment);
    return header + section;
}

void GgufWriter::save(const std::filesystem::path& path) const { writeFile(path, bytes()); }

void writeFile(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), std::streamsize(bytes.size()));
    if (stream.flush())
        return;
    std::cerr << "cannot write " << path << "\n";
    std::abort();
}

} // namespace tests
