/*
 * Makes file calls fail on purpose: loaded into a server with LD_PRELOAD. It looks at calls about files below
 * $CENSUS_FAULTS_DIRECTORY, and does what the numbers in $CENSUS_FAULTS_CONTROL say, a file of 32-bit numbers that is
 * mapped, so that faults are switched on and off while the server runs. The layout is that of shim.ts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, TRUNCATE = 4, OPEN = 8, RENAME = 16, UNLINK = 32, ALLOCATE = 64 };
enum { FAIL, SHORT, TORN };
enum { ALL, LOG, QUEUE, DATABASE };

struct control {
  volatile uint32_t calls, error, style, per_mille, skip, target, seen, injected;
};

static struct control *control;
static char folder[PATH_MAX];

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("CENSUS_FAULTS_CONTROL"), *directory = getenv("CENSUS_FAULTS_DIRECTORY");
  if (path == NULL || directory == NULL || strlen(directory) >= sizeof folder) return;
  strcpy(folder, directory);
  int (*really)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int file = really(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) control = mapped;
  close(file);
}

static int ends(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int is_target(const char *path) {
  if (strncmp(path, folder, strlen(folder)) != 0) return 0;
  int in_queue = strstr(path, "/queue/") != NULL;
  switch (control->target) {
    case LOG: return ends(path, ".wal");
    case QUEUE: return in_queue;
    case DATABASE: return ends(path, ".duckdb") || ends(path, ".wal");
    default: return 1;
  }
}

/* Whether this call fails. */
static int hit(uint32_t call, const char *path) {
  if (control == NULL || (control->calls & call) == 0 || !is_target(path)) return 0;
  uint32_t number = __sync_add_and_fetch(&control->seen, 1);
  if (number <= control->skip) return 0;
  /* The n-th call always has the same luck. */
  uint64_t mixed = number * 0x9E3779B97F4A7C15ull;
  mixed ^= mixed >> 29;
  mixed *= 0xBF58476D1CE4E5B9ull;
  if ((mixed >> 33) % 1000 >= control->per_mille) return 0;
  __sync_add_and_fetch(&control->injected, 1);
  return 1;
}

static int hit_file(uint32_t call, int file) {
  if (control == NULL || (control->calls & call) == 0) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return hit(call, path);
}

static int hit_path(uint32_t call, const char *path) {
  if (control == NULL || (control->calls & call) == 0 || path == NULL) return 0;
  char absolute[PATH_MAX];
  if (path[0] == '/' || getcwd(absolute, sizeof absolute) == NULL) return hit(call, path);
  size_t length = strlen(absolute);
  snprintf(absolute + length, sizeof absolute - length, "/%s", path);
  return hit(call, absolute);
}

static long failed(void) {
  errno = (int)control->error;
  return -1;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* Half of the bytes are written; then the call fails, or says how many there were. */
#define PART(half) \
  do { \
    ssize_t written = size > 1 ? (half) : 0; \
    if (control->style == SHORT && written > 0) return written; \
    return failed(); \
  } while (0)

ssize_t write(int file, const void *bytes, size_t size) {
  REAL(write);
  if (!hit_file(WRITE, file)) return real(file, bytes, size);
  if (control->style == FAIL) return failed();
  PART(real(file, bytes, size / 2));
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  REAL(pwrite);
  if (!hit_file(WRITE, file)) return real(file, bytes, size, at);
  if (control->style == FAIL) return failed();
  PART(real(file, bytes, size / 2, at));
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  REAL(pwrite64);
  if (!hit_file(WRITE, file)) return real(file, bytes, size, at);
  if (control->style == FAIL) return failed();
  PART(real(file, bytes, size / 2, at));
}

/* Of several buffers, the first is written by half. */
ssize_t writev(int file, const struct iovec *buffers, int count) {
  REAL(writev);
  if (!hit_file(WRITE, file)) return real(file, buffers, count);
  if (control->style == FAIL || count < 1) return failed();
  struct iovec first = { buffers[0].iov_base, (buffers[0].iov_len + 1) / 2 };
  size_t size = buffers[0].iov_len;
  PART(real(file, &first, 1));
}

ssize_t pwritev(int file, const struct iovec *buffers, int count, off_t at) {
  REAL(pwritev);
  if (!hit_file(WRITE, file)) return real(file, buffers, count, at);
  if (control->style == FAIL || count < 1) return failed();
  struct iovec first = { buffers[0].iov_base, (buffers[0].iov_len + 1) / 2 };
  size_t size = buffers[0].iov_len;
  PART(real(file, &first, 1, at));
}

ssize_t pwritev64(int file, const struct iovec *buffers, int count, off64_t at) {
  REAL(pwritev64);
  if (!hit_file(WRITE, file)) return real(file, buffers, count, at);
  if (control->style == FAIL || count < 1) return failed();
  struct iovec first = { buffers[0].iov_base, (buffers[0].iov_len + 1) / 2 };
  size_t size = buffers[0].iov_len;
  PART(real(file, &first, 1, at));
}

int fsync(int file) {
  REAL(fsync);
  return hit_file(SYNC, file) ? (int)failed() : real(file);
}

int fdatasync(int file) {
  REAL(fdatasync);
  return hit_file(SYNC, file) ? (int)failed() : real(file);
}

int ftruncate(int file, off_t size) {
  REAL(ftruncate);
  return hit_file(TRUNCATE, file) ? (int)failed() : real(file, size);
}

int ftruncate64(int file, off64_t size) {
  REAL(ftruncate64);
  return hit_file(TRUNCATE, file) ? (int)failed() : real(file, size);
}

int fallocate(int file, int mode, off_t at, off_t size) {
  REAL(fallocate);
  return hit_file(ALLOCATE, file) ? (int)failed() : real(file, mode, at, size);
}

int fallocate64(int file, int mode, off64_t at, off64_t size) {
  REAL(fallocate64);
  return hit_file(ALLOCATE, file) ? (int)failed() : real(file, mode, at, size);
}

static int mode_of(int flags, va_list words) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(words, int) : 0;
}

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list words; \
    va_start(words, flags); \
    int mode = mode_of(flags, words); \
    va_end(words); \
    return hit_path(OPEN, path) ? (int)failed() : real(path, flags, mode); \
  }

#define OPENING_AT(name) \
  int name(int place, const char *path, int flags, ...) { \
    REAL(name); \
    va_list words; \
    va_start(words, flags); \
    int mode = mode_of(flags, words); \
    va_end(words); \
    return hit_path(OPEN, path) ? (int)failed() : real(place, path, flags, mode); \
  }

OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)

int rename(const char *from, const char *to) {
  REAL(rename);
  return hit_path(RENAME, from) ? (int)failed() : real(from, to);
}

int unlink(const char *path) {
  REAL(unlink);
  return hit_path(UNLINK, path) ? (int)failed() : real(path);
}
