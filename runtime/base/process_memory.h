// ScopedMemoryLimit: limits the memory that this process really uses for a
// piece of work, such as importing or compiling a model.
//
//   const ScopedMemoryLimit limit(options.max_memory, "compiling `net`");
//
// A MemoryBudget (memory_limit.h) counts the memory that a model is known to
// need, for its constants and its intermediate values, and reports an error. It
// counts neither temporary copies nor the memory that the compiler itself
// needs, which can be larger than the model by orders of magnitude.
// ScopedMemoryLimit sets a limit of the system on the writable memory of the
// process (RLIMIT_DATA), which covers every allocation. If the limit is
// exceeded, the program cannot recover: it prints one sentence and exits with
// ExitCode::kUsage. Files that it has written before remain.
//
// Memory that the process had before the first object was made does not count.
// kOwnMemory is added for memory that does not depend on the model, such as the
// stacks of threads.
#ifndef ASSAY_RUNTIME_BASE_PROCESS_MEMORY_H_
#define ASSAY_RUNTIME_BASE_PROCESS_MEMORY_H_

#include <sys/resource.h>

#include <cstdint>
#include <string>

namespace assay {

constexpr int64_t kOwnMemory = int64_t{128} << 20;

class ScopedMemoryLimit {
 public:
  // `bytes` is the value of --max_memory, and `what` the work. Has no effect
  // while another object exists, or if the system does not tell how much memory
  // the process has.
  ScopedMemoryLimit(int64_t bytes, const std::string& what);
  ~ScopedMemoryLimit();
  ScopedMemoryLimit(const ScopedMemoryLimit&) = delete;
  ScopedMemoryLimit& operator=(const ScopedMemoryLimit&) = delete;

 private:
  bool active_ = false;
  rlimit before_ = {};
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_PROCESS_MEMORY_H_
