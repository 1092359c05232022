// Extents and other integers that are known only when the model runs, for
// importers.
//
// The extents of all tensors of the graph are numbers. An extent that the
// values of the inputs decide, such as the number of elements that non_zero
// finds, is represented by its upper limit: a bounded dynamic dimension
// (bounded_dims.h). Importers handle such extents, and the integers that models
// compute from them, as RunTimeInts, of which ordinary extents are a special
// case. Example, the first half of an axis:
//
//   RunTimeMath math(op);
//   const RunTimeInt half =
//       math.Divide(ExtentOf(op, x, axis), RunTimeInt::Number(2));
//   ASSAY_RETURN_IF_ERROR(math.status());
//   return Bounded(op, x, axis, half);
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_EXTENTS_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_EXTENTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/builder/graph_builder.h"

namespace assay::graph {

// Returns the extent of an axis of `x`, or all extents.
RunTimeInt ExtentOf(const GraphBuilder& op, Value x, int64_t axis);
std::vector<RunTimeInt> ExtentsOf(const GraphBuilder& op, Value x);

// Returns the integer in `count`, an int64 tensor with one element, which lies
// between 0 and `most`. A number if its value is known.
RunTimeInt CountOf(GraphBuilder& op, Value count, int64_t most);

// Returns OK if `x`, described by `what`, has an upper limit.
absl::Status ExpectUpperLimit(const RunTimeInt& x, absl::string_view what);

// Returns `x`, with `extent`, which must not be negative, as the extent of
// `axis`: a prefix of x along the axis if the extent or its upper limit is less
// than that of x. The axis of x must not be bounded, or elements beyond its
// extent must not be within the new one. If nothing but the extent changes, x
// itself is marked: no other user may read it.
absl::StatusOr<Value> Bounded(GraphBuilder& op, Value x, int64_t axis,
                              const RunTimeInt& extent);

// Computes with RunTimeInts, and adds nodes only for results that are neither
// numbers nor known. The first error is stored; all later results are then
// arbitrary.
class RunTimeMath {
 public:
  using Int = RunTimeInt;

  explicit RunTimeMath(GraphBuilder& op) : op_(op) {}
  const absl::Status& status() const { return status_; }

  Int Apply(OpKind kind, const Int& a, const Int& b);
  Int Add(const Int& a, const Int& b) { return Apply(OpKind::kAdd, a, b); }
  Int Subtract(const Int& a, const Int& b) {
    return Apply(OpKind::kSubtract, a, b);
  }
  Int Multiply(const Int& a, const Int& b) {
    return Apply(OpKind::kMultiply, a, b);
  }
  Int Divide(const Int& a, const Int& b) {
    return Apply(OpKind::kDivide, a, b);
  }
  Int Minimum(const Int& a, const Int& b) {
    return Apply(OpKind::kMinimum, a, b);
  }
  Int Maximum(const Int& a, const Int& b) {
    return Apply(OpKind::kMaximum, a, b);
  }
  // The operands must be 0 or 1 (false or true).
  Int And(const Int& a, const Int& b) {
    return Apply(OpKind::kBitwiseAnd, a, b);
  }
  // Returns the quotient of a, which must not be negative, and a positive
  // number, rounded up.
  Int DivideUp(const Int& a, int64_t b);
  Int Product(absl::Span<const Int> factors);
  // Returns a if `condition`, a truth value, is 1, and b if it is 0.
  Int Select(const Int& condition, const Int& a, const Int& b);
  // Returns `index` counted from the front: plus `extent` if it is negative.
  Int FromFront(const Int& index, const Int& extent);
  // Returns the number from `low` to `high` that is next to x; `high` if there
  // is none.
  Int Clamp(const Int& x, const Int& low, const Int& high) {
    return Minimum(Maximum(x, low), high);
  }

  // Returns x as a scalar. Equal integers have the same scalar.
  Value Scalar(const Int& x, DType type = DType::Int64());
  // Returns an int64 tensor of rank 1.
  Value Vector(absl::Span<const Int> elements);

 private:
  // Returns the value in `value`, or stores its error.
  Value Take(const absl::StatusOr<Value>& value);

  GraphBuilder& op_;
  absl::Status status_;
};

// The value that replaces the elements beyond an extent.
enum class Filler : uint8_t {
  kZero,
  kOne,
  kLowest,   // minus infinity, or the least integer
  kHighest,  // plus infinity, or the greatest integer
  kLast      // what an ascending order puts last: NaN, or the greatest integer
};

// Returns `filler` as a scalar of an element type.
NDArray FillerOf(DType type, Filler filler);

// Returns a bool tensor that is true where the index along `axis` is less than
// `extent`. It has `count` elements along the axis; all `rank` - 1 other
// extents are 1.
absl::StatusOr<Value> AddInside(GraphBuilder& op, int64_t count, int64_t axis,
                                int64_t rank, const RunTimeInt& extent);

// Returns x with the elements beyond the extent of `axis` replaced. The axis of
// the result is not bounded. Returns x itself if that of x is not.
absl::StatusOr<Value> AddFilled(GraphBuilder& op, Value x, int64_t axis,
                                Filler filler);

// Returns the elements of x along `axis` that `indices`, int64 of rank 1,
// select. The indices must lie within the extent and be counted from the front.
absl::StatusOr<Value> AddTake(GraphBuilder& op, Value x, int64_t axis,
                              Value indices);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_EXTENTS_H_
