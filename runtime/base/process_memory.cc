#include "runtime/base/process_memory.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <new>

#include "absl/strings/str_cat.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/plain_text.h"

namespace assay {
namespace {

// The sentence that is printed, which cannot be made when there is no memory.
char sentence[512];
std::atomic<bool> in_use = false;

void EndProgram() {
  const ssize_t written = write(STDERR_FILENO, sentence, std::strlen(sentence));
  (void)written;
  _exit(static_cast<int>(ExitCode::kUsage));
}

// Returns the size of the writable private memory of this process (proc(5)), or
// 0 if it is unknown.
int64_t DataBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kilobytes = 0;
    if (word == "VmData:" && status >> kilobytes) return kilobytes << 10;
  }
  return 0;
}

}  // namespace

ScopedMemoryLimit::ScopedMemoryLimit(int64_t bytes, const std::string& what) {
  static const int64_t base = DataBytes();
  if (base == 0 || getrlimit(RLIMIT_DATA, &before_) != 0 ||
      in_use.exchange(true)) {
    return;
  }
  const std::string text =
      absl::StrCat("error: ", PlainText(what), " needs more memory than the ",
                   BytesToString(bytes), " of --max_memory\n");
  std::strncpy(sentence, text.c_str(), sizeof(sentence) - 1);
  rlimit limit = before_;
  const auto wanted = static_cast<rlim_t>(base) + static_cast<rlim_t>(bytes) +
                      static_cast<rlim_t>(kOwnMemory);
  limit.rlim_cur = std::min(wanted, before_.rlim_cur);
  setrlimit(RLIMIT_DATA, &limit);
  std::set_new_handler(EndProgram);
  active_ = true;
}

ScopedMemoryLimit::~ScopedMemoryLimit() {
  if (!active_) return;
  std::set_new_handler(nullptr);
  setrlimit(RLIMIT_DATA, &before_);
  in_use = false;
}

}  // namespace assay
