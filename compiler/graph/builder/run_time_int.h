// RunTimeInt: an integer that may be known only when the model runs, and the
// arithmetic of its limits.
//
// Sums and products of such integers are assumed not to overflow.
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_INT_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_INT_H_

#include <cstdint>
#include <limits>
#include <optional>

#include "compiler/graph/graph.h"

namespace assay::graph {

// An integer, or one element of a tensor that the model computes.
struct RunTimeInt {
  static constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

  // The least and the greatest possible value. kLowest and kHighest mean that
  // no limit is known.
  int64_t low = kLowest;
  int64_t high = kHighest;
  // Element `element` of `tensor`, in row-major order; null for a number.
  Value tensor;
  int64_t element = 0;

  static constexpr RunTimeInt Number(int64_t n) { return {n, n, {}, 0}; }
  bool is_number() const { return tensor.node == nullptr; }
  bool has_upper_limit() const { return high != kHighest; }
};

// Returns true if both are the same number or the same element. Equal integers
// for which this is not known are different.
inline bool operator==(const RunTimeInt& a, const RunTimeInt& b) {
  return a.tensor == b.tensor && a.element == b.element &&
         (!a.is_number() || a.low == b.low);
}
inline bool operator!=(const RunTimeInt& a, const RunTimeInt& b) {
  return !(a == b);
}

// The least and the greatest value of an integer, like those of RunTimeInt.
struct IntLimits {
  int64_t low = RunTimeInt::kLowest;
  int64_t high = RunTimeInt::kHighest;
};

// Returns the limits of the result of the binary operator `kind`.
IntLimits LimitsOf(OpKind kind, const RunTimeInt& a, const RunTimeInt& b);

// Returns the result of the binary operator `kind` if the limits of the
// operands and their equality determine it: a number or one of the operands.
// Returns nullopt also for operators other than add, subtract, multiply,
// divide, floor_mod, maximum, minimum, comparisons, and bitwise operators,
// which must be applied to bool.
std::optional<RunTimeInt> ResultByLimits(OpKind kind, const RunTimeInt& a,
                                         const RunTimeInt& b);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_INT_H_
