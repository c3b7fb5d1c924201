/// Asks the processor to have the line at an address in its cache soon. A hint: never faults, changes nothing.
static inline void martlet_prefetch(const void *address) {
    __builtin_prefetch(address, 0, 3);
}
