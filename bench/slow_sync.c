/* Adds SLOW_SYNC_MICROS to every sync, as a disk would whose cache is honest. For bench/run, by LD_PRELOAD. */
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
