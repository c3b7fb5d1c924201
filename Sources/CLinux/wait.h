#include <stdint.h>
#include <sys/syscall.h>

// Of the system's headers only what gives no other type a second home.
struct pollfd;
extern long syscall(long number, ...);

/// Waits for `count` files as `poll` does, but to the nanosecond, and returns what it returns.
static inline int martlet_poll(struct pollfd *files, uintptr_t count, int64_t nanoseconds) {
    int64_t limit[2] = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return (int)syscall(SYS_ppoll, files, count, limit, (void *)0, (uintptr_t)0);
}
