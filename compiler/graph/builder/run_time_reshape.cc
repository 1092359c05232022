// AddRunTimeReshape().
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/builder/run_time_movement.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

using Ints = std::vector<RunTimeInt>;

constexpr RunTimeInt kZero = RunTimeInt::Number(0);
constexpr RunTimeInt kOne = RunTimeInt::Number(1);

// A number of elements: a product of a number and integers, which are sorted
// so that equal products compare equal.
struct Count {
  int64_t number = 1;
  Ints factors;

  friend bool operator==(const Count& a, const Count& b) {
    return a.number == b.number && a.factors == b.factors;
  }
};

bool ComesBefore(const RunTimeInt& a, const RunTimeInt& b) {
  return RunTimeInts::KeyOf(a) < RunTimeInts::KeyOf(b);
}

// Multiplies `count` by `extent`. Products that overflow are far too large to
// be the elements of a tensor, and become -1.
void MultiplyBy(const RunTimeInts& ints, const RunTimeInt& extent,
                Count& count) {
  for (const RunTimeInt& factor : ints.FactorsOf(extent)) {
    if (!factor.is_number()) {
      count.factors.insert(
          std::upper_bound(count.factors.begin(), count.factors.end(), factor,
                           ComesBefore),
          factor);
    } else if (__builtin_mul_overflow(count.number, factor.low,
                                      &count.number)) {
      count.number = -1;
    }
  }
}

// The numbers of elements of the first 0, 1, … axes.
std::vector<Count> CountsOf(const RunTimeInts& ints, const Ints& extents) {
  std::vector<Count> counts(1);
  for (const RunTimeInt& extent : extents) {
    counts.push_back(counts.back());
    MultiplyBy(ints, extent, counts.back());
  }
  return counts;
}

// a / b, if b is a product of factors of a.
std::optional<Count> Quotient(Count a, const Count& b) {
  if (b.number == 0 || a.number % b.number != 0) return std::nullopt;
  a.number /= b.number;
  for (const RunTimeInt& factor : b.factors) {
    const auto found = std::find(a.factors.begin(), a.factors.end(), factor);
    if (found == a.factors.end()) return std::nullopt;
    a.factors.erase(found);
  }
  return a;
}

// Replaces the extent that is -1, if there is one.
absl::Status InferOpenExtent(GraphBuilder& op, const Ints& from, Ints& to) {
  const auto open = std::find(to.begin(), to.end(), RunTimeInt::Number(-1));
  if (open == to.end()) return absl::OkStatus();
  RunTimeMath math(op);
  *open = kOne;
  const RunTimeInts& ints = op.run_time_ints();
  const Count others = CountsOf(ints, to).back();
  if (others.number == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the shape leaves an extent open beside an extent of 0"));
  }
  const auto extent = Quotient(CountsOf(ints, from).back(), others);
  if (extent.has_value()) {
    *open = math.Multiply(RunTimeInt::Number(extent->number),
                          math.Product(extent->factors));
  } else {
    const RunTimeInt known = math.Product(to);
    *open = math.Divide(math.Product(from), known);
  }
  return math.status();
}

std::vector<OperandAxis> AllAxes(Value x) {
  std::vector<OperandAxis> all;
  for (int d = 0; d < x.type().rank(); ++d) all.push_back({0, d});
  return all;
}

int64_t ProductOf(const Shape& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t d = begin; d < end; ++d) product *= shape[d];
  return product;
}

// Axes [from_begin, from_end) of the operand become axes [to_begin, to_end) of
// the result.
struct Group {
  size_t from_begin, from_end, to_begin, to_end;
};

// Divides the axes into groups, as small as possible, with as many elements.
std::vector<Group> GroupsOf(const RunTimeInts& ints, const Ints& from,
                            const Ints& to) {
  const std::vector<Count> a = CountsOf(ints, from), b = CountsOf(ints, to);
  std::vector<Group> groups;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    Group group = {i, from.size(), j, to.size()};
    bool found = false;
    for (size_t sum = i + j + 2; !found && sum <= from.size() + to.size();
         ++sum) {
      for (size_t k = i + 1; !found && k <= from.size() && k < sum; ++k) {
        const size_t l = sum - k;
        if (l <= j || l > to.size() || !(a[k] == b[l])) continue;
        group = {i, k, j, l};
        found = true;
      }
    }
    groups.push_back(group);
    i = group.from_end;
    j = group.to_end;
  }
  return groups;
}

// Sets the limits of the axes of a group of the result such that the elements
// within the extents stand where they stand in the operand. Returns false if
// there are no such limits.
bool KeepsPlaces(const Group& group, Value x, const Ints& from, const Ints& to,
                 Shape& limits) {
  const Shape& shape = x.type().shape;
  std::optional<size_t> source, target;
  int64_t before = 1, after = 1;
  for (size_t d = group.from_begin; d < group.from_end; ++d) {
    if (!from[d].is_number()) {
      if (source.has_value()) return false;
      source = d;
    } else if (!source.has_value()) {
      before *= shape[d];
    }
  }
  if (source.has_value() && before != 1) return false;
  for (size_t d = group.to_begin; d < group.to_end; ++d) {
    limits[d] = to[d].low;
    if (!to[d].is_number()) {
      if (target.has_value()) return false;
      target = d;
    } else if (target.has_value()) {
      after *= to[d].low;
    } else if (source.has_value() && to[d].low != 1) {
      return false;
    }
  }
  if (source.has_value() != target.has_value()) return false;
  if (!target.has_value()) return true;
  const int64_t elements = ProductOf(shape, group.from_begin, group.from_end);
  if (after <= 0 || elements % after != 0) return false;
  limits[*target] = elements / after;
  return true;
}

// Computes for each element of the result which element of x it is.
absl::StatusOr<Value> Repack(GraphBuilder& op, Value x, const Ints& from,
                             const Ints& to) {
  RunTimeMath math(op);
  const auto add = [&](OpKind kind, Value a, Value b) {
    return op.AddNode(kind, NoAttrs(), {a, b});
  };
  const auto rank = static_cast<int64_t>(to.size());
  Shape limits;
  for (size_t d = 0; d < to.size(); ++d) {
    ASSAY_RETURN_IF_ERROR(
        ExpectUpperLimit(to[d], absl::StrCat("extent ", d, " of the shape")));
    limits.push_back(to[d].high);
  }
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(limits).status());
  // The number of the element among those within the extents.
  Value number = math.Scalar(kZero);
  RunTimeInt stride = kOne;
  for (int64_t d = rank - 1; d >= 0; --d) {
    const RunTimeInt& extent = to[static_cast<size_t>(d)];
    const Value factor = math.Scalar(stride);
    stride = math.Multiply(stride, extent);
    ASSAY_RETURN_IF_ERROR(math.status());
    if (extent == kOne) continue;
    ASSAY_ASSIGN_OR_RETURN(Value part, AddPositions(op, extent.high, d, rank));
    ASSAY_ASSIGN_OR_RETURN(part, add(OpKind::kMultiply, part, factor));
    ASSAY_ASSIGN_OR_RETURN(number, add(OpKind::kAdd, number, part));
  }
  // Its number among all elements of x.
  Value place = math.Scalar(kZero);
  int64_t step = 1;
  for (size_t d = from.size(); d-- > 0;) {
    const Value extent = math.Scalar(from[d]);
    const Value factor = math.Scalar(RunTimeInt::Number(step));
    ASSAY_RETURN_IF_ERROR(math.status());
    Value index = number;
    if (d > 0) {
      ASSAY_ASSIGN_OR_RETURN(index, add(OpKind::kFloorMod, number, extent));
      ASSAY_ASSIGN_OR_RETURN(number, add(OpKind::kDivide, number, extent));
    }
    ASSAY_ASSIGN_OR_RETURN(index, add(OpKind::kMultiply, index, factor));
    ASSAY_ASSIGN_OR_RETURN(place, add(OpKind::kAdd, place, index));
    step *= x.type().shape[d];
  }
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(
      place, op.AddNode(OpKind::kBroadcastTo, ReshapeAttrs{limits}, {place}));
  ASSAY_ASSIGN_OR_RETURN(
      const Value flat,
      op.AddNode(OpKind::kReshape, ReshapeAttrs{{x.type().num_elements()}}, {x},
                 AllAxes(x)));
  // Elements beyond the extents may have any value, but must exist.
  const Value last = op.AddConstant(
      NDArray::FromVector<int64_t>({}, {x.type().num_elements() - 1}));
  ASSAY_ASSIGN_OR_RETURN(
      place, op.AddNode(OpKind::kMinimum, NoAttrs(), {place, last}));
  return op.AddNode(OpKind::kGather, GatherAttrs{0}, {flat, place});
}

}  // namespace

absl::StatusOr<Value> AddRunTimeReshape(GraphBuilder& op, Value x, Ints to) {
  const Ints from = ExtentsOf(op, x);
  ASSAY_RETURN_IF_ERROR(InferOpenExtent(op, from, to));
  if (from == to) return x;
  Shape limits(to.size(), 1);
  bool keeps_places = true;
  for (const Group& group : GroupsOf(op.run_time_ints(), from, to)) {
    keeps_places = keeps_places && KeepsPlaces(group, x, from, to, limits);
  }
  Value y;
  if (keeps_places) {
    ASSAY_ASSIGN_OR_RETURN(
        y, op.AddNode(OpKind::kReshape, ReshapeAttrs{limits}, {x}, AllAxes(x)));
  } else {
    ASSAY_ASSIGN_OR_RETURN(y, Repack(op, x, from, to));
  }
  for (size_t d = 0; d < to.size(); ++d) {
    if (to[d].is_number()) continue;
    ASSAY_ASSIGN_OR_RETURN(y, Bounded(op, y, static_cast<int64_t>(d), to[d]));
  }
  return y;
}

}  // namespace assay::graph
