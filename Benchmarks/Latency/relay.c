/* Measures how long a trading program takes from a tick to the order that the tick causes, at its socket.
 *
 *   relay GATEWAY_PORT TICKS WARM GAP_US       between a client and a gateway
 *   relay 0 TICKS WARM GAP_US                  for a client that only echoes; no gateway
 *
 * Prints "listening PORT", takes one client at a time, and passes everything between it and the gateway. Once the client has a
 * stream of quotes and the gateway has sent a bid and an ask, the gateway's own ticks are held back, and each bid that
 * the client sees is made here: its time is that of the call that sends it. An order or a cancel is answered here, too,
 * and its time is that at which its bytes have been read. One tick is under way at a time; the next leaves GAP_US
 * microseconds behind the answer. Orders are placed and cancelled in turn, so that nothing ever trades.
 *
 * Server versions 157 to 191, whose messages are text. One thread, epoll, TCP_NODELAY, CLOCK_MONOTONIC. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PLACED, CANCELLED, KINDS };
enum { ROOM = 1 << 22, FIELDS = 16 };
static const int64_t PATIENCE = 1000000000;
static const size_t MISSED_MAX = 20;

static struct stream {
    int fd;
    size_t length;
    int begun;
    char bytes[ROOM];
} client, gateway;

static struct { int64_t *values; size_t count; } taken[KINDS];
static size_t ticks, warm, answers, missed, missed_in_a_row;
static int epoll, listener, upstream, request = -1, number, has_bid, has_ask, is_ours, waits;
static double bid = 100, moved;
static int64_t gap, sent, due;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *words) {
    perror(words);
    exit(1);
}

/* Small messages to a reader that keeps up: a full socket is not expected, and waited for. */
static void put(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = send(fd, bytes, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EAGAIN) {
            usleep(100);
            continue;
        }
        if (count <= 0) fail("send");
        bytes += count;
        length -= (size_t)count;
    }
}

/* A frame of text whose fields the format separates by '|'. */
static size_t frame(char *into, const char *text, int length) {
    uint32_t size = htonl((uint32_t)length);
    memcpy(into, &size, 4);
    for (int index = 0; index < length; index++) into[4 + index] = text[index] == '|' ? 0 : text[index];
    return 4 + (size_t)length;
}

static void tick(void) {
    char text[128], bytes[160];
    moved = moved > 0 ? 0 : 0.01;
    int length = snprintf(text, sizeof text, "1|6|%d|1|%.2f|%d|1|", request, bid - moved, moved > 0 ? 300 : 200);
    size_t size = frame(bytes, text, length);
    waits = 1;
    sent = now();
    put(client.fd, bytes, size);
    due = sent + PATIENCE;
}

static void answer(int kind, const char *order, int64_t at) {
    if (waits) {
        if (++answers > warm) {
            if (taken[kind].count < ticks) taken[kind].values[taken[kind].count++] = at - sent;
        }
    }
    char text[192], bytes[224];
    int length = snprintf(
        text, sizeof text, "3|%s|%s|0|1|0|%ld|0|0|%d||0|", order, kind == PLACED ? "Submitted" : "Cancelled",
        1000000 + atol(order), number);
    put(client.fd, bytes, frame(bytes, text, length));
    waits = 0;
    missed_in_a_row = 0;
    due = now() + gap;
}

/* The first fields of a frame; absent ones are empty. */
static void split(const char *bytes, size_t length, const char *fields[FIELDS]) {
    size_t place = 0;
    for (int index = 0; index < FIELDS; index++) {
        fields[index] = place < length ? bytes + place : "";
        while (place < length && bytes[place] != 0) place++;
        place++;
    }
}

static int is(const char *left, const char *right) { return strcmp(left, right) == 0; }

/* Looks at a frame of the client's; true if it is for the gateway. */
static int from_client(const char *bytes, size_t length, int64_t at) {
    const char *fields[FIELDS];
    split(bytes, length, fields);
    if (is(fields[0], "71")) number = atoi(fields[2]);
    if (is(fields[0], "1")) request = atoi(fields[2]);
    if (is(fields[0], "3")) return answer(PLACED, fields[1], at), 0;
    if (is(fields[0], "4")) return answer(CANCELLED, fields[2], at), 0;
    return 1;
}

/* Looks at a frame of the gateway's; true if it is for the client. */
static int from_gateway(const char *bytes, size_t length) {
    const char *fields[FIELDS];
    split(bytes, length, fields);
    int is_price = is(fields[0], "1");
    if (!is_price && !is(fields[0], "2") && !is(fields[0], "45") && !is(fields[0], "46")) return 1;
    if (is_ours) return 0;
    if (is_price && atoi(fields[2]) == request && is(fields[3], "1")) bid = atof(fields[4]), has_bid = 1;
    if (is_price && atoi(fields[2]) == request && is(fields[3], "2")) has_ask = 1;
    if (has_bid && has_ask) {
        is_ours = 1;
        due = now() + 1000000000;
    }
    return 1;
}

static void open_streams(void);

/* One connection may come before: to ask for the clock, say. */
static void ended(struct stream *stream) {
    if (stream != &client || request >= 0) {
        fprintf(stderr, "relay: the %s has closed the connection\n", stream == &client ? "client" : "gateway");
        exit(1);
    }
    close(client.fd);
    close(gateway.fd);
    open_streams();
}

/* Reads what is there and passes it frame by frame. */
static void pass(struct stream *from, struct stream *to) {
    ssize_t count = recv(from->fd, from->bytes + from->length, ROOM - from->length, 0);
    int64_t at = now();
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return ended(from);
    from->length += (size_t)count;
    size_t place = 0;
    if (from == &client && gateway.fd >= 0 && !from->begun) {
        if (from->length < 4) return;
        put(to->fd, from->bytes, 4);
        place = 4;
    }
    from->begun = 1;
    while (from->length - place >= 4) {
        uint32_t size;
        memcpy(&size, from->bytes + place, 4);
        size = ntohl(size);
        if (size > ROOM - 4) fail("a frame is too long");
        if (from->length - place < 4 + size) break;
        const char *bytes = from->bytes + place + 4;
        int passes = from == &client ? from_client(bytes, size, at) : from_gateway(bytes, size);
        if (passes && to->fd >= 0) put(to->fd, from->bytes + place, 4 + size);
        place += 4 + size;
    }
    memmove(from->bytes, from->bytes + place, from->length - place);
    from->length -= place;
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static double at(int kind, double share) {
    size_t count = taken[kind].count;
    if (count == 0) return 0;
    size_t index = (size_t)(share * (double)count);
    return (double)taken[kind].values[index < count ? index : count - 1] / 1000;
}

static void report(void) {
    static const char *names[] = {"order", "cancel"};
    printf("{");
    for (int kind = 0; kind < KINDS; kind++) {
        qsort(taken[kind].values, taken[kind].count, sizeof(int64_t), compare);
        printf("\"%s\": {\"ticks\": %zu, \"p50_us\": %.1f, \"p90_us\": %.1f, \"p99_us\": %.1f, \"p999_us\": %.1f, "
               "\"max_us\": %.1f}, ", names[kind], taken[kind].count, at(kind, 0.5), at(kind, 0.9), at(kind, 0.99),
               at(kind, 0.999), at(kind, 1));
    }
    printf("\"unanswered\": %zu}\n", missed);
}

static void begin_listening(void) {
    int fd = listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) < 0 || listen(fd, 1) < 0) fail("listen");
    getsockname(fd, (struct sockaddr *)&address, &size);
    printf("listening %d\n", ntohs(address.sin_port));
    fflush(stdout);
}

static void prepare(struct stream *stream) {
    int on = 1;
    stream->length = 0;
    stream->begun = 0;
    setsockopt(stream->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, stream->fd, &event) < 0) fail("epoll_ctl");
}

static void open_streams(void) {
    client.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (client.fd < 0) fail("accept");
    prepare(&client);
    gateway.fd = -1;
    if (upstream == 0) {
        request = 1, is_ours = 1, due = now() + 100000000;
        return;
    }
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)upstream), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    gateway.fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(gateway.fd, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    prepare(&gateway);
}

int main(int count, char **arguments) {
    if (count != 5) return fprintf(stderr, "relay GATEWAY_PORT TICKS WARM GAP_US\n"), 2;
    ticks = (size_t)atol(arguments[2]);
    warm = (size_t)atol(arguments[3]);
    gap = atol(arguments[4]) * 1000;
    for (int kind = 0; kind < KINDS; kind++) taken[kind].values = calloc(ticks, sizeof(int64_t));
    upstream = atoi(arguments[1]);
    epoll = epoll_create1(0);
    begin_listening();
    open_streams();
    while (taken[PLACED].count < ticks) {
        struct timespec wait, *limit = NULL;
        if (is_ours) {
            int64_t left = due - now();
            if (left <= 0) {
                if (waits) {
                    missed++;
                    if (++missed_in_a_row == MISSED_MAX) {
                        fprintf(stderr, "relay: %zu ticks in a row without an answer\n", MISSED_MAX);
                        exit(1);
                    }
                }
                tick();
                continue;
            }
            wait = (struct timespec){left / 1000000000, left % 1000000000};
            limit = &wait;
        }
        struct epoll_event events[1];
        int ready = epoll_pwait2(epoll, events, 1, limit, NULL);
        if (ready < 0 && errno != EINTR) fail("epoll_pwait2");
        /* One at a time: the other may be closed by it. */
        if (ready > 0) {
            struct stream *from = events[0].data.ptr;
            pass(from, from == &client ? &gateway : &client);
        }
    }
    report();
    return 0;
}
