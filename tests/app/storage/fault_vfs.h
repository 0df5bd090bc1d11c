#pragma once

namespace tests {

/// A file system for SQLite that passes everything on to the real one, and fails when told to.
/// While one exists, every database of the process goes through it. At most one at a time.
class FaultVfs {
public:
    /// As in sqlite3.h, which the callers need not include.
    enum class Fault { DiskFull = 13, IoError = 10, CannotOpen = 14, ReadOnly = 8 };
    /// What may fail.
    enum class Calls {
        Changes, ///< writes, truncations, syncs
        Opens, ///< of files that are to be written
    };

    FaultVfs();
    ~FaultVfs();
    FaultVfs(const FaultVfs&) = delete;
    FaultVfs& operator=(const FaultVfs&) = delete;

    /// From the k-th such call on (0 = the next) all of them fail, until healed: a full disk stays
    /// full.
    void failFrom(int k, Calls calls, Fault fault);
    void heal();
    /// Whether any call failed since failFrom().
    bool hasFailed() const;
};

} // namespace tests
