/* Moves the clock of a program by the seconds in the file $MOVED_CLOCK, written in 12 characters. Load it with
   LD_PRELOAD. (Debian's libfaketime is no choice: it leaves shared memory behind when a process is killed, and
   then fails in a later process with the same process id.) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static const char *seconds;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("MOVED_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
        seconds = mapped == MAP_FAILED ? NULL : mapped;
    }
}

static time_t moved(void) { return seconds ? atoll(seconds) : 0; }

int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next)
        next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = next(clock, at);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        at->tv_sec += moved();
    return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
