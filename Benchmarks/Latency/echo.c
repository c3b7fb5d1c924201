/* The quickest that a client can be: answers each tick of a relay with the same order, and reads nothing else.
 *
 *   echo PORT */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count != 2) return fprintf(stderr, "echo PORT\n"), 2;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(arguments[1])),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1, epoll = epoll_create1(0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) return perror("connect"), 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    /* As long as a limit order of a program's own. */
    char order[4 + 400] = {0};
    unsigned size = htonl(sizeof order - 4);
    memcpy(order, &size, 4);
    memcpy(order + 4, "3\0007", 4);
    char bytes[65536];
    while (epoll_wait(epoll, &event, 1, -1) >= 0) {
        ssize_t length = recv(fd, bytes, sizeof bytes, 0);
        if (length <= 0) return 0;
        if (length >= 6 && bytes[4] == '1' && bytes[5] == 0) send(fd, order, sizeof order, MSG_NOSIGNAL);
    }
    return 1;
}
