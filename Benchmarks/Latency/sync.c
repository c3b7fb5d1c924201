/* How long the disk of a folder takes to keep a page: a write and fdatasync each GAP_US microseconds, as orders come.
 *
 *   sync FOLDER COUNT GAP_US */

#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

int main(int arguments, char **values) {
    if (arguments != 4) return fprintf(stderr, "sync FOLDER COUNT GAP_US\n"), 2;
    char path[4096], page[4120];
    memset(page, 7, sizeof page);
    snprintf(path, sizeof path, "%s/sync.tmp", values[1]);
    size_t count = (size_t)atol(values[2]);
    int64_t *times = calloc(count, sizeof *times);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0) return perror(path), 1;
    unlink(path);
    for (size_t index = 0; index < count; index++) {
        /* A page and its header behind the last, as a log grows; begun anew as a log is. */
        off_t place = (off_t)(index % 1000) * (off_t)sizeof page;
        if (pwrite(file, page, sizeof page, place) != (ssize_t)sizeof page) return perror(path), 1;
        int64_t begun = now();
        if (fdatasync(file) != 0) return perror(path), 1;
        times[index] = now() - begun;
        usleep((useconds_t)atol(values[3]));
    }
    qsort(times, count, sizeof *times, compare);
    printf("{\"p50_us\": %.1f, \"p99_us\": %.1f}\n", (double)times[count / 2] / 1000,
           (double)times[count * 99 / 100] / 1000);
    return 0;
}
