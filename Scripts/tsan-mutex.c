// Lets the thread sanitizer see the contended ways through Swift's Mutex: they are in the standard library's shared
// object, which is not instrumented, so that a lock taken there counts for none. Loaded before the library, with LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));


#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// _MutexHandle._lockSlow(_:)
__attribute__((swiftcall)) void lock(uint32_t thread, __attribute__((swift_context)) void *handle) __asm__(LOCK);
__attribute__((swiftcall)) void lock(uint32_t thread, __attribute__((swift_context)) void *handle) {
    static __attribute__((swiftcall)) void (*next)(uint32_t, __attribute__((swift_context)) void *);
    if (!next) next = dlsym(RTLD_NEXT, LOCK);
    next(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

// _MutexHandle._unlockSlow()
__attribute__((swiftcall)) void unlock(__attribute__((swift_context)) void *handle) __asm__(UNLOCK);
__attribute__((swiftcall)) void unlock(__attribute__((swift_context)) void *handle) {
    static __attribute__((swiftcall)) void (*next)(__attribute__((swift_context)) void *);
    if (!next) next = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    next(handle);
}
