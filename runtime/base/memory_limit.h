// Memory limits for a model: parsing the value of `--max_memory`, and a budget
// that tracks how much of it has been used.
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

// Parses a positive integer with an optional suffix K, M, G or T for KiB, MiB,
// GiB or TiB. Without a suffix the unit is bytes. The error quotes `text`.
absl::StatusOr<int64_t> ParseBytes(absl::string_view text);

// Formats a size as `4 GiB`, `1.5 MiB` or `100 bytes`, with at most one decimal
// digit.
std::string BytesToString(int64_t bytes);

// ResourceExhausted: "`what` needs 5 GiB, more than the 4 GiB that --max_memory
// leaves". If `what` is empty, the caller must add a subject.
absl::Status MemoryError(absl::string_view what, int64_t bytes, int64_t left);

class MemoryBudget {
 public:
  explicit MemoryBudget(int64_t limit) : left_(limit) {}

  // Number of bytes left, at least 0.
  int64_t left() const { return std::max<int64_t>(0, left_); }
  // Returns MemoryError(what, bytes, left()) if `bytes` > left().
  absl::Status Check(absl::string_view what, int64_t bytes) const;
  // Subtracts `bytes` without a check. If this exceeds the limit, the next
  // Check() fails; small allocations therefore need no check of their own.
  void Use(int64_t bytes) { left_ -= bytes; }

 private:
  int64_t left_;
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_MEMORY_LIMIT_H_
