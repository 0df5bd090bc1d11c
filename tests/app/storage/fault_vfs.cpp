#include "tests/app/storage/fault_vfs.h"

#include <sqlite3.h>

#include <cassert>
#include <cstring>

namespace tests {

namespace {
    struct State {
        sqlite3_vfs* real = nullptr;
        sqlite3_vfs ours {};
        bool isArmed = false;
        bool hasFailed = false;
        int callsLeft = 0;
        FaultVfs::Calls calls = FaultVfs::Calls::Changes;
        FaultVfs::Fault fault = FaultVfs::Fault::DiskFull;
    };
    State state;

    // SQLite gives room for this, followed by the real file.
    struct File {
        sqlite3_file base;
        sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
    };

    sqlite3_file* realOf(sqlite3_file* file) { return reinterpret_cast<File*>(file)->real(); }

    // SQLITE_OK, or the code that this call must fail with.
    int faultOf(FaultVfs::Calls calls, int ioErrorCode)
    {
        if (!state.isArmed || state.calls != calls)
            return SQLITE_OK;
        if (state.callsLeft > 0) {
            --state.callsLeft;
            return SQLITE_OK;
        }
        state.hasFailed = true;
        return state.fault == FaultVfs::Fault::IoError ? ioErrorCode : int(state.fault);
    }

    int close(sqlite3_file* file)
    {
        sqlite3_file* real = realOf(file);
        return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
    }
    int read(sqlite3_file* file, void* bytes, int count, sqlite3_int64 offset)
    {
        return realOf(file)->pMethods->xRead(realOf(file), bytes, count, offset);
    }
    int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset)
    {
        if (const int fault = faultOf(FaultVfs::Calls::Changes, SQLITE_IOERR_WRITE))
            return fault;
        return realOf(file)->pMethods->xWrite(realOf(file), bytes, count, offset);
    }
    int truncate(sqlite3_file* file, sqlite3_int64 size)
    {
        if (const int fault = faultOf(FaultVfs::Calls::Changes, SQLITE_IOERR_TRUNCATE))
            return fault;
        return realOf(file)->pMethods->xTruncate(realOf(file), size);
    }
    int sync(sqlite3_file* file, int flags)
    {
        if (const int fault = faultOf(FaultVfs::Calls::Changes, SQLITE_IOERR_FSYNC))
            return fault;
        return realOf(file)->pMethods->xSync(realOf(file), flags);
    }
    int fileSize(sqlite3_file* file, sqlite3_int64* size)
    {
        return realOf(file)->pMethods->xFileSize(realOf(file), size);
    }
    int lock(sqlite3_file* file, int kind)
    {
        return realOf(file)->pMethods->xLock(realOf(file), kind);
    }
    int unlock(sqlite3_file* file, int kind)
    {
        return realOf(file)->pMethods->xUnlock(realOf(file), kind);
    }
    int checkReservedLock(sqlite3_file* file, int* result)
    {
        return realOf(file)->pMethods->xCheckReservedLock(realOf(file), result);
    }
    int fileControl(sqlite3_file* file, int operation, void* argument)
    {
        return realOf(file)->pMethods->xFileControl(realOf(file), operation, argument);
    }
    int sectorSize(sqlite3_file* file) { return realOf(file)->pMethods->xSectorSize(realOf(file)); }
    int deviceCharacteristics(sqlite3_file* file)
    {
        return realOf(file)->pMethods->xDeviceCharacteristics(realOf(file));
    }
    // Never called while the file is held exclusively, but a log needs them to be there.
    int shmMap(sqlite3_file* file, int page, int size, int extend, void volatile** memory)
    {
        return realOf(file)->pMethods->xShmMap(realOf(file), page, size, extend, memory);
    }
    int shmLock(sqlite3_file* file, int offset, int count, int flags)
    {
        return realOf(file)->pMethods->xShmLock(realOf(file), offset, count, flags);
    }
    void shmBarrier(sqlite3_file* file) { realOf(file)->pMethods->xShmBarrier(realOf(file)); }
    int shmUnmap(sqlite3_file* file, int isDeleted)
    {
        return realOf(file)->pMethods->xShmUnmap(realOf(file), isDeleted);
    }

    const sqlite3_io_methods kMethods { 2, close, read, write, truncate, sync, fileSize, lock,
        unlock, checkReservedLock, fileControl, sectorSize, deviceCharacteristics, shmMap, shmLock,
        shmBarrier, shmUnmap, nullptr, nullptr };

    int open(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* file, int flags, int* outFlags)
    {
        file->pMethods = nullptr;
        const bool isToBeWritten = (flags & SQLITE_OPEN_READWRITE) != 0;
        if (isToBeWritten)
            if (const int fault = faultOf(FaultVfs::Calls::Opens, SQLITE_IOERR))
                return fault == SQLITE_FULL ? SQLITE_CANTOPEN : fault;
        const int result = state.real->xOpen(state.real, name, realOf(file), flags, outFlags);
        if (realOf(file)->pMethods)
            file->pMethods = &kMethods;
        return result;
    }
}

FaultVfs::FaultVfs()
{
    assert(!state.real);
    state = {};
    state.real = sqlite3_vfs_find(nullptr);
    state.ours = *state.real;
    state.ours.zName = "fault";
    state.ours.pNext = nullptr;
    state.ours.szOsFile = int(sizeof(File)) + state.real->szOsFile;
    state.ours.xOpen = open;
    sqlite3_vfs_register(&state.ours, 1);
}

FaultVfs::~FaultVfs()
{
    sqlite3_vfs_unregister(&state.ours);
    sqlite3_vfs_register(state.real, 1);
    state = {};
}

void FaultVfs::failFrom(int k, Calls calls, Fault fault)
{
    state.isArmed = true;
    state.hasFailed = false;
    state.callsLeft = k;
    state.calls = calls;
    state.fault = fault;
}

void FaultVfs::heal() { state.isArmed = false; }

bool FaultVfs::hasFailed() const { return state.hasFailed; }

} // namespace tests
