#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// Waits for files as `poll` does, but to the nanosecond, and returns what it returns.
static inline int martlet_poll(struct pollfd *files, nfds_t count, struct timespec limit) {
    return (int)syscall(SYS_ppoll, files, count, &limit, NULL, 0);
}
