/* Makes every sync SLOW_SYNC_MICROS slower, like a disk that does not answer from its cache. bench/run loads it with
 * LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *name, int fd)
{
    int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    const char *micros = getenv("SLOW_SYNC_MICROS");
    usleep(micros ? (useconds_t)atoi(micros) : 0);
    return sync(fd);
}

int fsync(int fd) { return slowly("fsync", fd); }

int fdatasync(int fd) { return slowly("fdatasync", fd); }
