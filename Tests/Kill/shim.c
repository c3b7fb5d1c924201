// Ends a process with SIGKILL between two of its system calls, for Tests/Kill. Loaded with LD_PRELOAD; the program that
// it is loaded into knows nothing of it.
//
//   KILL_POINT=row:KIND        a row of the journal that has a command of KIND was made and is not written
//   KILL_POINT=written:KIND    it is written, and not yet made durable (fdatasync is not called)
//   KILL_POINT=durable:KIND    fdatasync has returned, and nothing was sent
//   KILL_POINT=call:N          at the N-th call that reads, writes or makes durable: before it, in the middle of it (so
//                              many bytes of it are written), or behind it
//   KILL_POINT=hang:KIND       such a row was made: the thread that made it does not come back
//   KILL_POINT=trap:KIND       such a row was made: the program traps, as Swift does (an illegal instruction)
//   KILL_POINT=nosync:KIND     such a row is written, and fdatasync fails, once
//   KILL_REPORT=FILE           the file that is told which point it was; where it is there, the last three do not happen again
//
//   KILL_LOG=FILE              a log of everything that is written below KILL_FOLDER and sent to others, for a disk that
//                              loses what was not made durable: see power.py
//
// KIND is place, bracket, modify, cancel or probe. What a row has is read from its bytes, as RecordBatch+Bytes.swift writes them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { none, atRow, atWritten, atDurable, atHang, atTrap, atFailure, atCall };
static int point;
static char kind[16];
static long callNumber;
static atomic_long calls;
static atomic_int isRowPending;

static int (*realSync)(int);
static int (*realFullSync)(int);
static int (*realTruncate)(int, off_t);
static int (*realRename)(const char *, const char *);
static int (*realUnlink)(const char *);
static int logFile = -1;
static const char *logFolder;
static ssize_t (*realWrite)(int, const void *, size_t);
static ssize_t (*realPwrite)(int, const void *, size_t, off_t);
static ssize_t (*realRead)(int, void *, size_t);
static ssize_t (*realRecv)(int, void *, size_t, int);
static ssize_t (*realSend)(int, const void *, size_t, int);
static ssize_t (*realWritev)(int, const struct iovec *, int);
static int (*realBind)(void *, int, const void *, int, void (*)(void *));

__attribute__((constructor)) static void begin(void) {
    realSync = dlsym(RTLD_NEXT, "fdatasync");
    realWrite = dlsym(RTLD_NEXT, "write");
    realPwrite = dlsym(RTLD_NEXT, "pwrite64");
    realRead = dlsym(RTLD_NEXT, "read");
    realRecv = dlsym(RTLD_NEXT, "recv");
    realSend = dlsym(RTLD_NEXT, "send");
    realWritev = dlsym(RTLD_NEXT, "writev");
    realBind = dlsym(RTLD_NEXT, "sqlite3_bind_blob");
    realFullSync = dlsym(RTLD_NEXT, "fsync");
    realTruncate = dlsym(RTLD_NEXT, "ftruncate64");
    realRename = dlsym(RTLD_NEXT, "rename");
    realUnlink = dlsym(RTLD_NEXT, "unlink");
    logFolder = getenv("KILL_FOLDER");
    const char *path = getenv("KILL_LOG");
    if (path && logFolder) logFile = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *text = getenv("KILL_POINT");
    if (!text) return;
    if (sscanf(text, "call:%ld", &callNumber) == 1) point = atCall;
    else if (sscanf(text, "row:%15s", kind) == 1) point = atRow;
    else if (sscanf(text, "written:%15s", kind) == 1) point = atWritten;
    else if (sscanf(text, "durable:%15s", kind) == 1) point = atDurable;
    else if (sscanf(text, "hang:%15s", kind) == 1) point = atHang;
    else if (sscanf(text, "trap:%15s", kind) == 1) point = atTrap;
    else if (sscanf(text, "nosync:%15s", kind) == 1) point = atFailure;
    const char *report = getenv("KILL_REPORT");
    if (point >= atHang && point <= atFailure && (!report || access(report, F_OK) == 0)) point = none;
}

static void tell(const char *where) {
    const char *path = getenv("KILL_REPORT");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0) {
        if (realWrite(file, where, strlen(where)) < 0) _exit(99);
        close(file);
    }
}

static void end(const char *where) {
    tell(where);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// MARK: What a row has

#define wordsMax 4096
static __thread int64_t words[wordsMax];
static __thread int count;

static int readWords(const uint8_t *bytes, int length) {
    int index = 0;
    count = 0;
    while (index < length && count < wordsMax) {
        uint8_t byte = bytes[index++], zeros = byte & 15;
        uint64_t rest = byte >> 4 & 7;
        for (int shift = 3; byte & 0x80; shift += 7) {
            if (index >= length || shift > 63) return 0;
            byte = bytes[index++];
            rest |= (uint64_t)(byte & 0x7f) << shift;
        }
        int64_t word = (int64_t)(rest >> 1) ^ -(int64_t)(rest & 1);
        while (zeros--) word = (int64_t)((uint64_t)word * 10);
        words[count++] = word;
    }
    return index == length;
}

typedef struct { int place, legs, modify, cancel, probe; } Commands;

// The words of an order ticket; 0 where they are of none.
static int ticket(int at, int *isLeg) {
    int start = at;
    if (at + 14 > count || words[at] <= 0) return 0;
    at += 1;
    if (words[at] < 0 || words[at] > 1000 || words[at + 1] < 0 || words[at + 1] > 100000) return 0;
    if (words[at + 2] < 0 || words[at + 2] > 1 || words[at + 3] <= 0) return 0;
    at += 4;
    switch (words[at++]) {
    case 0: case 5: case 7: break;
    case 1: case 2: case 6: case 8: at += 1; break;
    case 3: case 4: at += 2; break;
    default: return 0;
    }
    if (at >= count) return 0;
    int64_t time = words[at++];
    if (time < 0 || time > 3) return 0;
    if (time == 2) at += 1;
    // Purpose, extended hours, reason, parent, group.
    if (at + 5 > count || words[at] < 0 || words[at] > 8 || words[at + 1] < 0 || words[at + 1] > 1)
        return 0;
    if (words[at + 3] < 0 || words[at + 4] < 0) return 0;
    *isLeg = words[at + 3] > 0;
    return at + 5 - start;
}

// Reads commands that begin at a word and go up to the digest behind them.
static int commandsAt(int at, Commands *found) {
    int64_t number = words[at++];
    if (number < 1 || number > 200) return 0;
    memset(found, 0, sizeof *found);
    int64_t event = 0;
    while (number--) {
        if (at + 2 > count || words[at] < event || words[at] >= words[0]) return 0;
        event = words[at++];
        int isLeg = 0, length;
        switch (words[at++]) {
        case 0:
            if (!(length = ticket(at, &isLeg))) return 0;
            if (isLeg) found->legs += 1; else found->place += 1;
            at += length;
            break;
        case 1:
            if (!(length = ticket(at, &isLeg)) || at + length + 1 > count) return 0;
            found->modify += 1;
            at += length + 1;
            break;
        case 2: case 3:
            if (at >= count || words[at] <= 0) return 0;
            found->cancel += words[at - 1] == 2;
            found->probe += words[at - 1] == 3;
            at += 1;
            break;
        case 4:
            if (at >= count || words[at] < 0 || words[at] > 8) return 0;
            at += 1;
            break;
        case 5:
            if (at + 3 > count || words[at] < -1) return 0;
            at += 3;
            break;
        default: return 0;
        }
    }
    return at == count - 1;
}

// True for a row with a command of the kind. The events before the commands are passed over.
static int hasKind(const void *bytes, int length) {
    if (!bytes || length < 12 || !readWords(bytes, length)) return 0;
    for (int at = 2; at < count - 3; at++) {
        Commands found;
        if (!commandsAt(at, &found)) continue;
        if (!strcmp(kind, "place")) return found.place > 0 && found.legs == 0;
        if (!strcmp(kind, "bracket")) return found.legs > 0;
        if (!strcmp(kind, "modify")) return found.modify > 0;
        if (!strcmp(kind, "cancel")) return found.cancel > 0;
        if (!strcmp(kind, "probe")) return found.probe > 0;
        return 0;
    }
    return 0;
}

// MARK: The log

// One record: a line with the call, the place, the number of bytes and the path, then the bytes.
static void record(const char *call, const char *path, long long place, const void *bytes, size_t length) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char line[PATH_MAX + 64];
    int size = snprintf(line, sizeof line, "%s %lld %zu %s\n", call, place, length, path);
    pthread_mutex_lock(&lock);
    if (realWrite(logFile, line, size) != size || (length && realWrite(logFile, bytes, length) != (ssize_t)length))
        _exit(99);
    pthread_mutex_unlock(&lock);
}

// The path of an open file below the folder; 0 for others, 2 for a connection.
static int pathOf(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    if (size < 0) return 0;
    path[size] = 0;
    if (!strncmp(path, "socket:", 7)) return 2;
    return !strncmp(path, logFolder, strlen(logFolder));
}

// Takes down what was written to a file at a place; below zero is where the file stands, which is behind it by now.
static void written(int file, long long place, const void *bytes, ssize_t length) {
    if (logFile < 0 || length <= 0 || file == logFile) return;
    char path[PATH_MAX];
    int error = errno, kind = pathOf(file, path);
    if (kind == 2) record("out", path, 0, bytes, length);
    if (kind == 1) record("write", path, place < 0 ? lseek(file, 0, SEEK_CUR) - length : place, bytes, length);
    errno = error;
}

static void changed(const char *call, int file, long long place) {
    if (logFile < 0) return;
    char path[PATH_MAX];
    int error = errno;
    if (pathOf(file, path) == 1) record(call, path, place, "", 0);
    errno = error;
}

static int isBelow(const char *path) { return logFile >= 0 && !strncmp(path, logFolder, strlen(logFolder)); }

// MARK: Calls

// 0: not now; 1: before; 2: behind; 3: in the middle.
static int isDue(void) {
    if (point != atCall || atomic_fetch_add(&calls, 1) + 1 != callNumber) return 0;
    return 1 + (int)(callNumber % 3);
}

int sqlite3_bind_blob(void *statement, int index, const void *bytes, int length, void (*free)(void *)) {
    if (index == 4 && point >= atRow && point <= atFailure && !atomic_load(&isRowPending)
        && hasKind(bytes, length)) {
        if (point == atRow) end("row");
        if (point == atHang) {
            tell("hang");
            for (;;) pause();
        }
        if (point == atTrap) {
            tell("trap");
            __builtin_trap();
        }
        atomic_store(&isRowPending, 1);
    }
    return realBind(statement, index, bytes, length, free);
}

int fdatasync(int file) {
    if (point == atWritten && atomic_load(&isRowPending)) end("written");
    int due = isDue();
    if (due == 1) end("before fdatasync");
    if (point == atFailure && atomic_load(&isRowPending)) {
        point = none;
        tell("no sync");
        errno = EIO;
        return -1;
    }
    int result = realSync(file);
    if (result == 0) changed("sync", file, 0);
    if (point == atDurable && atomic_load(&isRowPending)) end("durable");
    if (due) end("behind fdatasync");
    return result;
}

int fsync(int file) {
    int result = realFullSync(file);
    if (result == 0) changed("sync", file, 0);
    return result;
}

int ftruncate64(int file, off_t length) {
    int result = realTruncate(file, length);
    if (result == 0) changed("cut", file, length);
    return result;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int rename(const char *old, const char *new) {
    int result = realRename(old, new);
    if (result == 0 && isBelow(new)) record("rename", new, 0, old, strlen(old));
    return result;
}

int unlink(const char *path) {
    int result = realUnlink(path);
    if (result == 0 && isBelow(path)) record("unlink", path, 0, "", 0);
    return result;
}

#define surrounded(name, call, part, note)                                                               \
    int due = isDue();                                                                             \
    if (due == 1) end("before " name);                                                             \
    if (due == 3) { part; end("in the middle of " name); }                                         \
    ssize_t result = call;                                                                         \
    note;                                                                                          \
    if (due == 2) end("behind " name);                                                             \
    return result

ssize_t write(int file, const void *bytes, size_t length) {
    surrounded("write", realWrite(file, bytes, length), realWrite(file, bytes, length / 2),
        written(file, -1, bytes, result));
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t offset) {
    surrounded("pwrite", realPwrite(file, bytes, length, offset),
        realPwrite(file, bytes, length / 2, offset), written(file, offset, bytes, result));
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return pwrite64(file, bytes, length, offset);
}

ssize_t send(int file, const void *bytes, size_t length, int flags) {
    surrounded("send", realSend(file, bytes, length, flags),
        realSend(file, bytes, length / 2, flags), written(file, 0, bytes, result));
}

// Only connections are written to in parts.
static void writtenParts(int file, const struct iovec *parts, int number, ssize_t length) {
    for (int index = 0; index < number && length > 0; index++) {
        ssize_t part = (ssize_t)parts[index].iov_len < length ? (ssize_t)parts[index].iov_len : length;
        written(file, 0, parts[index].iov_base, part);
        length -= part;
    }
}

ssize_t writev(int file, const struct iovec *parts, int number) {
    surrounded("writev", realWritev(file, parts, number),
        realWrite(file, parts[0].iov_base, parts[0].iov_len / 2), writtenParts(file, parts, number, result));
}

ssize_t read(int file, void *bytes, size_t length) {
    surrounded("read", realRead(file, bytes, length), (void)0, (void)0);
}

ssize_t recv(int file, void *bytes, size_t length, int flags) {
    surrounded("recv", realRecv(file, bytes, length, flags), (void)0, (void)0);
}
