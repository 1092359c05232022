#include "tests/farm/chaos/tools/wall_clock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"

namespace assay {

absl::StatusOr<std::unique_ptr<WallClock>> WallClock::Create(
    const std::string& file, const std::string& preload) {
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return ErrnoError("create", file);
  void* memory = MAP_FAILED;
  if (ftruncate(fd, sizeof(Shared)) == 0) {
    memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED,
                  fd, 0);
  }
  close(fd);
  if (memory == MAP_FAILED) return ErrnoError("map", file);
  setenv("ASSAY_WALL_CLOCK", file.c_str(), 1);
  // Programs run in other folders.
  std::error_code error;
  const std::string path = std::filesystem::absolute(preload, error).string();
  if (error)
    return absl::NotFoundError(absl::StrCat("no file `", preload, "`"));
  setenv("LD_PRELOAD", path.c_str(), 1);
  return std::unique_ptr<WallClock>(
      new WallClock(static_cast<Shared*>(memory)));
}

WallClock::~WallClock() {
  unsetenv("LD_PRELOAD");
  unsetenv("ASSAY_WALL_CLOCK");
  munmap(shared_, sizeof(Shared));
}

void WallClock::Jump(double seconds) {
  shared_->ahead_nanos += static_cast<int64_t>(seconds * 1e9);
}

double WallClock::ahead_s() const {
  return static_cast<double>(shared_->ahead_nanos) * 1e-9;
}

int64_t WallClock::readings() const { return shared_->readings; }

int64_t WallClock::waits() const { return shared_->waits; }

}  // namespace assay
