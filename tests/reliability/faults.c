// A disk that fails, for tests: put before a program with LD_PRELOAD it lets the n-th change of a file fail.
//
//   RICOCHET_FAULT="n reason"   n counts opening for writing, write, pwrite, ftruncate, fsync, rename and mkdir, from 1;
//                               reason is full (ENOSPC) or large (EFBIG), both for good as a disk stays full,
//                               broken (EIO), interrupted (EINTR) or short (half is written), all three once;
//                               torn: the process is killed within the write, at the last page that it touches.
//   RICOCHET_FAULT_COUNT=file   holds the number of changes when the program has ended.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long count = 0, chosen = 0;
static char reason[32] = "";

__attribute__((constructor)) static void read_environment(void) {
  const char* text = getenv("RICOCHET_FAULT");
  if (text) sscanf(text, "%ld %31s", &chosen, reason);
}

__attribute__((destructor)) static void write_count(void) {
  const char* file = getenv("RICOCHET_FAULT_COUNT");
  FILE* out = file ? fopen(file, "w") : NULL;
  if (!out) return;
  fprintf(out, "%ld\n", count);
  fclose(out);
}

static int is(const char* name) { return strcmp(reason, name) == 0; }

// The error of this call, 0 for none, -1 for a short write, -2 for a torn one.
static int fault(void) {
  ++count;
  const int now = count == chosen, since = chosen > 0 && count >= chosen;
  if (since && is("full")) return ENOSPC;
  if (since && is("large")) return EFBIG;
  if (now && is("broken")) return EIO;
  if (now && is("interrupted")) return EINTR;
  if (now && is("torn")) return -2;
  return now && is("short") ? -1 : 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_OR(call)            \
  do {                           \
    const int error = fault();   \
    if (error > 0) {             \
      errno = error;             \
      return -1;                 \
    }                            \
    return call;                 \
  } while (0)

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if ((flags & O_ACCMODE) == O_RDONLY) return REAL(open)(path, flags, mode);
  FAIL_OR(REAL(open)(path, flags, mode));
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open(path, flags, mode);
}

ssize_t write(int file, const void* data, size_t size) {
  if (file <= 2) return REAL(write)(file, data, size);
  const int error = fault();
  if (error > 0) return errno = error, -1;
  if (error == -2) kill(getpid(), SIGKILL);
  return REAL(write)(file, data, error < 0 && size > 1 ? size / 2 : size);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  const int error = fault();
  if (error > 0) return errno = error, -1;
  if (error == -2) {
    const off_t page = 4096, end = (offset + (off_t)size - 1) / page * page;
    if (end > offset) REAL(pwrite)(file, data, (size_t)(end - offset), offset);
    kill(getpid(), SIGKILL);
  }
  return REAL(pwrite)(file, data, error < 0 && size > 1 ? size / 2 : size, offset);
}
ssize_t pwrite64(int file, const void* data, size_t size, off_t offset) { return pwrite(file, data, size, offset); }

int ftruncate(int file, off_t size) { FAIL_OR(REAL(ftruncate)(file, size)); }
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int fsync(int file) { FAIL_OR(REAL(fsync)(file)); }
int fdatasync(int file) { FAIL_OR(REAL(fdatasync)(file)); }
int rename(const char* from, const char* to) { FAIL_OR(REAL(rename)(from, to)); }
int mkdir(const char* path, mode_t mode) { FAIL_OR(REAL(mkdir)(path, mode)); }
