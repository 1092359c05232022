// Memory limits for a model: functions that parse and format the value of
// `--max_memory`, and a MemoryBudget that tracks how much memory is left.
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
// GiB or TiB. Without a suffix the unit is bytes. Returns InvalidArgument, with
// `text` quoted, if `text` has another form or the number is too large.
absl::StatusOr<int64_t> ParseBytes(absl::string_view text);

// Formats a size as `4 GiB`, `1.5 MiB` or `100 bytes`, with at most one decimal
// digit.
std::string BytesToString(int64_t bytes);

// Returns ResourceExhausted with a message such as "WHAT needs 5 GiB, more than
// the 4 GiB that --max_memory leaves", where WHAT is `what`. If `what` is
// empty, the message starts with "needs" and the caller must add a subject.
absl::Status MemoryError(absl::string_view what, int64_t bytes, int64_t left);

class MemoryBudget {
 public:
  explicit MemoryBudget(int64_t limit) : left_(limit) {}

  // Returns the number of bytes left, at least 0.
  int64_t left() const { return std::max<int64_t>(0, left_); }
  // Returns MemoryError(what, bytes, left()) if `bytes` > left().
  absl::Status Check(absl::string_view what, int64_t bytes) const;
  // Subtracts `bytes` from the bytes left, without a check. Small allocations
  // need no Check() of their own: if their sum exceeds the limit, the next
  // Check() of a positive number of bytes fails.
  void Use(int64_t bytes) { left_ -= bytes; }

 private:
  int64_t left_;
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_MEMORY_LIMIT_H_
