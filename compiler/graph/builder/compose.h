// Compose: expresses an operator of a model by several graph operators without
// checking a status after every step. Example, a normalization along axis 1:
//
//   Compose c(op, x);
//   const Value mean = c.Mean(x, {1});
//   const Value d = c.Subtract(x, mean);
//   const Value y = c.Divide(d, c.Sqrt(c.Mean(c.Multiply(d, d), {1})));
//   ASSAY_RETURN_IF_ERROR(c.status());
//
// The first error is stored. All later steps do nothing and return an arbitrary
// value. Therefore the type of a result must be used only if status() is OK.
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_COMPOSE_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_COMPOSE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/builder/graph_builder.h"

namespace assay::graph {

class Compose {
 public:
  using Ints = std::vector<int64_t>;

  // `any` is the value that steps return after an error; it may be null.
  Compose(GraphBuilder& op, Value any) : op_(op), any_(any) {}

  const absl::Status& status() const { return status_; }
  // Returns the Value in `value`, the result of a function that can fail. If
  // `value` is an error, stores the error and returns an arbitrary Value.
  Value Take(const absl::StatusOr<Value>& value);

  // Adds a graph node and returns its result.
  Value Node(OpKind kind, Attrs attrs, absl::Span<const Value> inputs) {
    return status_.ok() ? Take(op_.Add(kind, std::move(attrs), inputs)) : Any();
  }
  Value Unary(OpKind kind, Value x) { return Node(kind, {}, {x}); }
  Value Binary(OpKind kind, Value a, Value b) { return Node(kind, {}, {a, b}); }

  Value Add(Value a, Value b) { return Binary(OpKind::kAdd, a, b); }
  Value Subtract(Value a, Value b) { return Binary(OpKind::kSubtract, a, b); }
  Value Multiply(Value a, Value b) { return Binary(OpKind::kMultiply, a, b); }
  Value Divide(Value a, Value b) { return Binary(OpKind::kDivide, a, b); }
  Value Power(Value a, Value b) { return Binary(OpKind::kPower, a, b); }
  Value Sqrt(Value x) { return Unary(OpKind::kSqrt, x); }

  // Adds a constant scalar of type `dtype` (ScalarOf()).
  Value Scalar(DType dtype, double value);
  // Adds an int64 constant with the given shape and elements.
  Value Ints64(Shape shape, const Ints& values);
  Value Cast(Value x, DType dtype);

  Value Reshape(Value x, Shape shape);
  Value Transpose(Value x, Ints perm);
  // Selects `count` elements of an axis: begin, begin + step, …
  Value Slice(Value x, int64_t axis, int64_t begin, int64_t count,
              int64_t step = 1);
  Value Concat(absl::Span<const Value> parts, int64_t axis);
  Value Pad(Value x, Ints before, Ints after, float value = 0);

  // Reduces the axes `axes`, which must be in ascending order. The result has
  // the same rank as `x`; the extent of each reduced axis is 1.
  Value Reduce(OpKind kind, Value x, Ints axes);
  Value Mean(Value x, Ints axes) {
    return Reduce(OpKind::kReduceMean, x, std::move(axes));
  }
  Value Sum(Value x, Ints axes) {
    return Reduce(OpKind::kReduceSum, x, std::move(axes));
  }

 private:
  Value Any() const { return any_; }

  GraphBuilder& op_;
  absl::Status status_;
  Value any_;
};

// Returns the type in which sums of elements of type `dtype` are computed:
// float32 for 16-bit floats, and `dtype` for all other types.
DType SumType(DType dtype);

// Returns the numbers first, first + 1, …, last - 1.
std::vector<int64_t> AxesBetween(int64_t first, int64_t last);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_COMPOSE_H_
