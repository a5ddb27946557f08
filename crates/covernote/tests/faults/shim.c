/* Records what a program does to the files of one folder, and makes syncs fail.
 *
 * Loaded with LD_PRELOAD before the C library, into an unchanged program. For files in $FAULTS_FOLDER:
 *   - Every write, truncation, sync, removal and new name is appended to $FAULTS_TRACE, in the order of
 *     execution: a lock is held during each call and its record.
 *   - A sync of NAME fails once with EIO if the file $FAULTS_FAIL.NAME exists, which is then removed.
 *   - A sync of a NAME that ends in $FAULTS_SWALLOW succeeds without being done or recorded.
 *   - Each write and sync of the database takes $FAULTS_SLOW microseconds longer.
 *   - Each sync of its log takes $FAULTS_SLOW_LOG microseconds longer.
 * Format of a record: kind (1 byte), length of the name (1), offset (8), length of the data (4), name, data.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 4096
#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *names[MOST]; /* by descriptor: name of the open file in the folder; "" is the folder */
static int trace = -1;
static const char *folder, *fail, *swallow;
static useconds_t slow, slow_log;

static int (*next_open)(const char *, int, ...);
static ssize_t (*next_write)(int, const void *, size_t);
static ssize_t (*next_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*next_writev)(int, const struct iovec *, int);
static int (*next_ftruncate)(int, off_t);
static int (*next_fsync)(int);
static int (*next_close)(int);
static int (*next_unlink)(const char *);
static int (*next_linkat)(int, const char *, int, const char *, int);
static int (*next_rename)(const char *, const char *);

__attribute__((constructor)) static void begin(void)
{
    next_open = NEXT(int (*)(const char *, int, ...), "open");
    next_write = NEXT(ssize_t(*)(int, const void *, size_t), "write");
    next_pwrite = NEXT(ssize_t(*)(int, const void *, size_t, off_t), "pwrite64");
    next_writev = NEXT(ssize_t(*)(int, const struct iovec *, int), "writev");
    next_ftruncate = NEXT(int (*)(int, off_t), "ftruncate64");
    next_fsync = NEXT(int (*)(int), "fsync");
    next_close = NEXT(int (*)(int), "close");
    next_unlink = NEXT(int (*)(const char *), "unlink");
    next_linkat = NEXT(int (*)(int, const char *, int, const char *, int), "linkat");
    next_rename = NEXT(int (*)(const char *, const char *), "rename");
    folder = getenv("FAULTS_FOLDER");
    fail = getenv("FAULTS_FAIL");
    swallow = getenv("FAULTS_SWALLOW");
    const char *delay = getenv("FAULTS_SLOW");
    slow = delay ? atoi(delay) : 0;
    delay = getenv("FAULTS_SLOW_LOG");
    slow_log = delay ? atoi(delay) : 0;
    const char *to = getenv("FAULTS_TRACE");
    if (!folder || !to || (trace = next_open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0) {
        static const char why[] = "shim: FAULTS_FOLDER and FAULTS_TRACE are wanted\n";
        next_write(2, why, sizeof why - 1);
        _exit(70);
    }
}

/* The name of a path in the folder. NULL for other paths, and for files that a power cut does not preserve. */
static const char *name_of(const char *path)
{
    char whole[PATH_MAX];
    if (path[0] != '/') {
        size_t length;
        if (!getcwd(whole, sizeof whole) || (length = strlen(whole)) + strlen(path) + 2 > sizeof whole)
            return NULL;
        while (!strncmp(path, "./", 2))
            path += 2;
        snprintf(whole + length, sizeof whole - length, "/%s", path);
    } else {
        snprintf(whole, sizeof whole, "%s", path);
    }
    size_t length = strlen(folder);
    if (strncmp(whole, folder, length) || (whole[length] && whole[length] != '/'))
        return NULL;
    static __thread char name[256];
    snprintf(name, sizeof name, "%s", whole[length] ? whole + length + 1 : "");
    size_t end = strlen(name);
    if ((end >= 4 && !strcmp(name + end - 4, "-shm")) || (end >= 5 && !strcmp(name + end - 5, ".lock")))
        return NULL;
    return name;
}

static const char *known(int fd) { return fd >= 0 && fd < MOST ? names[fd] : NULL; }

static void take_time(int fd, const char *suffix, useconds_t delay)
{
    const char *name = delay ? known(fd) : NULL;
    size_t end = name ? strlen(name) : 0, length = strlen(suffix);
    if (end >= length && !strcmp(name + end - length, suffix))
        usleep(delay);
}

static void note(char kind, const char *name, uint64_t offset, const void *data, uint32_t length)
{
    unsigned char head[14] = { kind, strlen(name) };
    memcpy(head + 2, &offset, 8);
    memcpy(head + 10, &length, 4);
    struct iovec parts[] = { { head, 14 }, { (void *)name, strlen(name) }, { (void *)data, length } };
    ssize_t whole = 14 + strlen(name) + length;
    if (next_writev(trace, parts, 3) != whole) {
        static const char why[] = "shim: the trace cannot be written\n";
        next_write(2, why, sizeof why - 1);
        _exit(70);
    }
}

static int opened(int fd, const char *path)
{
    int before = errno;
    const char *name = fd >= 0 && fd < MOST ? name_of(path) : NULL;
    if (name) {
        pthread_mutex_lock(&lock);
        free(names[fd]);
        names[fd] = strdup(name);
        pthread_mutex_unlock(&lock);
    }
    errno = before;
    return fd;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    const char *name = flags & O_TRUNC ? name_of(path) : NULL;
    if (!name)
        return opened(next_open(path, flags, mode), path);
    pthread_mutex_lock(&lock);
    int fd = next_open(path, flags, mode);
    if (fd >= 0)
        note('T', name, 0, "", 0);
    pthread_mutex_unlock(&lock);
    return opened(fd, path);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return open(path, flags, mode);
}

int close(int fd)
{
    pthread_mutex_lock(&lock);
    if (known(fd)) {
        free(names[fd]);
        names[fd] = NULL;
    }
    int done = next_close(fd);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *data, size_t length)
{
    if (!known(fd))
        return next_write(fd, data, length);
    pthread_mutex_lock(&lock);
    ssize_t done = next_write(fd, data, length);
    /* The offset at which it was written, also if the file is open for appending. */
    if (done > 0)
        note('W', known(fd), lseek(fd, 0, SEEK_CUR) - done, data, done);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset)
{
    if (!known(fd))
        return next_pwrite(fd, data, length, offset);
    take_time(fd, ".db", slow);
    pthread_mutex_lock(&lock);
    ssize_t done = next_pwrite(fd, data, length, offset);
    if (done > 0)
        note('W', known(fd), offset, data, done);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return pwrite64(fd, data, length, offset); }

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    if (!known(fd))
        return next_writev(fd, parts, count);
    /* A short write is valid: the caller writes the rest. */
    for (int part = 0; part < count; part++)
        if (parts[part].iov_len)
            return write(fd, parts[part].iov_base, parts[part].iov_len);
    return 0;
}

int ftruncate64(int fd, off64_t size)
{
    if (!known(fd))
        return next_ftruncate(fd, size);
    pthread_mutex_lock(&lock);
    int done = next_ftruncate(fd, size);
    if (!done)
        note('T', known(fd), size, "", 0);
    pthread_mutex_unlock(&lock);
    return done;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int is_to_fail(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.%s", fail ? fail : "", name);
    return fail && !next_unlink(path);
}

static int is_swallowed(const char *name)
{
    size_t end = swallow ? strlen(swallow) : 0, length = strlen(name);
    return end && length >= end && !strcmp(name + length - end, swallow);
}

int fsync(int fd)
{
    if (!known(fd))
        return next_fsync(fd);
    take_time(fd, ".db", slow);
    take_time(fd, "-wal", slow_log);
    pthread_mutex_lock(&lock);
    const char *name = known(fd);
    int done = 0;
    if (is_to_fail(name)) {
        note('E', name, 0, "", 0);
        errno = EIO;
        done = -1;
    } else if (!is_swallowed(name)) {
        done = next_fsync(fd);
        note(done ? 'E' : 'S', name, 0, "", 0);
    }
    int why = errno;
    pthread_mutex_unlock(&lock);
    errno = why;
    return done;
}

int fdatasync(int fd) { return fsync(fd); }

int unlink(const char *path)
{
    const char *name = name_of(path);
    pthread_mutex_lock(&lock);
    int done = next_unlink(path);
    if (!done && name)
        note('U', name, 0, "", 0);
    pthread_mutex_unlock(&lock);
    return done;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    char old[256] = "";
    const char *name = name_of(from);
    if (name)
        snprintf(old, sizeof old, "%s", name);
    name = name_of(to);
    pthread_mutex_lock(&lock);
    int done = next_linkat(from_folder, from, to_folder, to, flags);
    if (!done && old[0] && name)
        note('L', old, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return done;
}

int rename(const char *from, const char *to)
{
    char old[256] = "";
    const char *name = name_of(from);
    if (name)
        snprintf(old, sizeof old, "%s", name);
    name = name_of(to);
    pthread_mutex_lock(&lock);
    int done = next_rename(from, to);
    if (!done && old[0] && name) {
        note('L', old, 0, name, strlen(name));
        note('U', old, 0, "", 0);
    }
    pthread_mutex_unlock(&lock);
    return done;
}
