#pragma once

#include "app/runs/run_record.h"

namespace app {

/// A run record in a JSON file: written when the run opens, with no stop reason, and once more when
/// it has ended, so that a program that was killed leaves a record that says so.
class RecordFile {
public:
    /// Error Io when the file cannot be written.
    static engine::Result<RecordFile> open(const std::string& path, const RunOpening& opening);

    void apply(const engine::GenerationEvent& event) { m_record.apply(event); }
    void setRequirementCheck(nlohmann::ordered_json check)
    {
        m_record.setRequirementCheck(std::move(check));
    }
    /// Adds the model file's hash and writes the whole. Error Io.
    engine::Result<void> close();

private:
    RecordFile(std::string path, std::string modelPath, const RunOpening& opening);
    engine::Result<void> write() const;

    std::string m_path;
    std::string m_modelPath;
    RunRecord m_record;
};

} // namespace app
