#include "ci/bisect/measuring_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <string>

#include "runtime/base/file.h"

namespace assay::ci {
namespace {

// The lock belongs to all users, so the file is only read.
int OpenOrCreate(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0) return file;
  const mode_t mask = umask(0);
  const int created = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
  umask(mask);
  return created;
}

}  // namespace

absl::StatusOr<MeasuringLock> MeasuringLock::Acquire() {
  const char* name = std::getenv("ASSAY_MEASURING_LOCK");
  const std::string path = name == nullptr ? "/tmp/assay_measuring.lock" : name;
  Descriptor file(OpenOrCreate(path));
  if (file.get() < 0) return ErrnoError("open", path);
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    std::cerr << "waiting for another measurement on this machine (`" << path
              << "`)\n";
    while (flock(file.get(), LOCK_EX) != 0) {
      if (errno != EINTR) return ErrnoError("lock", path);
    }
  }
  return MeasuringLock(std::move(file));
}

}  // namespace assay::ci
