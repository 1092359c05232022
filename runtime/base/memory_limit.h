// How much memory a model may need: what `--max_memory` says, and the account
// of what has been used of it.
//
//   MemoryBudget budget(options.max_memory);
//   ASSAY_RETURN_IF_ERROR(budget.Check("`conv.weight`", bytes));
//   NDArray weights = ...;
//   budget.Use(weights.num_bytes());
#ifndef ASSAY_RUNTIME_BASE_MEMORY_LIMIT_H_
#define ASSAY_RUNTIME_BASE_MEMORY_LIMIT_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

constexpr int64_t kDefaultMaxMemory = int64_t{4} << 30;

// A whole number of bytes, or with K, M, G or T after it of KiB, MiB, GiB or
// TiB; at least 1. The error quotes `text`.
absl::StatusOr<int64_t> ParseBytes(absl::string_view text);

// `4 GiB`, `1.5 MiB`, `100 bytes`; rounded to a tenth.
std::string BytesToString(int64_t bytes);

// ResourceExhausted: "`what` needs 5 GiB, more than the 4 GiB that --max_memory
// leaves". Where `what` is empty the caller says it.
absl::Status MemoryError(absl::string_view what, int64_t bytes, int64_t left);

class MemoryBudget {
 public:
  explicit MemoryBudget(int64_t limit) : left_(limit) {}

  // What may still be used, 0 at least.
  int64_t left() const { return std::max<int64_t>(0, left_); }
  // A MemoryError where so many bytes are more than what is left.
  absl::Status Check(absl::string_view what, int64_t bytes) const;
  // Counts bytes, even beyond the limit, as of many small values that are not
  // worth a check each: the next check then fails.
  void Use(int64_t bytes) { left_ -= bytes; }

 private:
  int64_t left_;
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_MEMORY_LIMIT_H_
