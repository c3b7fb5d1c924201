#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/// Asks the processor to have the line at an address in its cache soon. A hint: never faults, changes nothing.
static inline void martlet_prefetch(const void *address) {
    __builtin_prefetch(address, 0, 3);
}

/// Asks for all lines of `bytes` from an address on, as `martlet_prefetch` does for one.
static inline void martlet_prefetch_all(const void *address, size_t bytes) {
    const char *line = (const char *)address;
    for (const char *end = line + bytes; line < end; line += 64) __builtin_prefetch(line, 0, 3);
}

/// Makes the heap's next `bytes` large pages, and keeps what is freed for what is allocated next.
///
/// For a process that fills much memory once and ends: the first touch of each small page costs a microsecond
/// on a virtual machine. Hints all of it: without large pages, or without the memory, nothing changes. Call it
/// once, before other threads allocate.
static inline void martlet_prepare_heap(size_t bytes) {
    const uintptr_t large_page = (uintptr_t)2 << 20;
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_ARENA_MAX, 1);
    void *block = malloc(bytes);
    if (!block) return;
    const uintptr_t first = ((uintptr_t)block + large_page - 1) & ~(large_page - 1);
    const uintptr_t end = ((uintptr_t)block + bytes) & ~(large_page - 1);
    if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
    free(block);
}

/// Gives the system back what was freed.
static inline void martlet_trim_heap(void) { malloc_trim(0); }
