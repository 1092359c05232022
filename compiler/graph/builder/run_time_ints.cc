#include "compiler/graph/builder/run_time_ints.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/element.h"

namespace assay::graph {
namespace {

constexpr int64_t kLowest = RunTimeInt::kLowest;
constexpr int64_t kHighest = RunTimeInt::kHighest;

bool IsCommutative(OpKind kind) {
  return kind == OpKind::kAdd || kind == OpKind::kMultiply ||
         kind == OpKind::kMaximum || kind == OpKind::kMinimum ||
         kind == OpKind::kEqual || kind == OpKind::kBitwiseAnd ||
         kind == OpKind::kBitwiseOr || kind == OpKind::kBitwiseXor;
}

// The binary operator that a reduction repeats.
OpKind StepOf(OpKind reduce) {
  switch (reduce) {
    case OpKind::kReduceSum:
      return OpKind::kAdd;
    case OpKind::kReduceProd:
      return OpKind::kMultiply;
    case OpKind::kReduceMax:
      return OpKind::kMaximum;
    default:
      return OpKind::kMinimum;
  }
}

// Steps to the next index, the last axis first.
void Advance(const Shape& shape, Shape& index) {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return;
    index[d] = 0;
  }
}

// The position of the element `index` of an array of shape `shape`.
int64_t Position(const Shape& shape, const Shape& index) {
  int64_t position = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    position = position * shape[d] + index[d];
  }
  return position;
}

// The position of the element that broadcasting assigns to `index`.
int64_t BroadcastPosition(const Shape& shape, const Shape& index) {
  const size_t offset = index.size() - shape.size();
  Shape own(shape.size(), 0);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1) own[d] = index[d + offset];
  }
  return Position(shape, own);
}

// An operand, and the position of an element in it.
struct Source {
  int operand = 0;
  int64_t position = 0;
};

// The element that a data movement puts at `index` of its result.
Source SourceOf(const Node& node, const Shape& index) {
  const Shape& shape = node.input(0).type().shape;
  Shape at = index;
  switch (node.kind()) {
    case OpKind::kTranspose: {
      const auto& perm = node.attrs_as<TransposeAttrs>().perm;
      for (size_t d = 0; d < perm.size(); ++d) {
        at[static_cast<size_t>(perm[d])] = index[d];
      }
      return {0, Position(shape, at)};
    }
    case OpKind::kSlice: {
      const auto& slice = node.attrs_as<SliceAttrs>();
      for (size_t d = 0; d < at.size(); ++d) {
        at[d] = slice.begins[d] + index[d] * slice.steps[d];
      }
      return {0, Position(shape, at)};
    }
    case OpKind::kConcat: {
      const auto axis = static_cast<size_t>(node.attrs_as<ConcatAttrs>().axis);
      int operand = 0;
      while (at[axis] >= node.input(operand).type().shape[axis]) {
        at[axis] -= node.input(operand++).type().shape[axis];
      }
      return {operand, Position(node.input(operand).type().shape, at)};
    }
    default:
      return {0, BroadcastPosition(shape, index)};
  }
}

}  // namespace

bool RunTimeInts::IsTracked(const TensorType& type) {
  return (type.dtype == DType::Int64() || type.dtype == DType::Int32() ||
          type.dtype.is_bool()) &&
         type.num_elements() <= kMaxElements;
}

void RunTimeInts::AppendKey(const RunTimeInt& x, Key& key) {
  if (x.is_number()) {
    key.insert(key.end(), {-1, x.low});
  } else {
    key.insert(key.end(), {x.tensor.node->id(), x.tensor.index, x.element});
  }
}

std::string RunTimeInts::KeyOf(const RunTimeInt& x) {
  if (x.is_number()) return absl::StrCat(x.low);
  return absl::StrCat("%", x.tensor.node->id(), ".", x.tensor.index, "[",
                      x.element, "]");
}

RunTimeInt RunTimeInts::Opaque(const Node& node, int64_t element, int64_t low,
                               int64_t high) {
  if (low == high) return RunTimeInt::Number(low);
  return {low, high, {const_cast<Node*>(&node)}, element};
}

std::vector<RunTimeInt> RunTimeInts::Find(Value tensor) const {
  if (!IsTracked(tensor.type())) return {};
  const auto found = elements_.find(tensor);
  if (found != elements_.end()) return found->second;
  const bool is_constant = tensor.node->kind() == OpKind::kConstant;
  const bool is_bool = tensor.type().dtype.is_bool();
  Elements elements;
  for (int64_t i = 0; i < tensor.type().num_elements(); ++i) {
    if (is_constant) {
      elements.push_back(RunTimeInt::Number(
          LoadInt(tensor.node->attrs_as<ConstantAttrs>().value, i)));
    } else {
      elements.push_back(
          {is_bool ? 0 : kLowest, is_bool ? 1 : kHighest, tensor, i});
    }
  }
  return elements;
}

void RunTimeInts::SetLimits(Value tensor, int64_t low, int64_t high) {
  elements_[tensor] = {low == high ? RunTimeInt::Number(low)
                                   : RunTimeInt{low, high, tensor, 0}};
}

std::optional<RunTimeInt> RunTimeInts::Combine(OpKind kind, const RunTimeInt& a,
                                               const RunTimeInt& b) const {
  if (const auto result = ResultByLimits(kind, a, b)) return result;
  const auto found = operations_.find(OperationKey(kind, a, b));
  if (found == operations_.end()) return std::nullopt;
  return found->second;
}

RunTimeInts::Key RunTimeInts::OperationKey(OpKind kind, const RunTimeInt& a,
                                           const RunTimeInt& b) {
  Key first, second;
  AppendKey(a, first);
  AppendKey(b, second);
  if (IsCommutative(kind) && second < first) std::swap(first, second);
  Key key = {static_cast<int64_t>(kind)};
  key.insert(key.end(), first.begin(), first.end());
  key.insert(key.end(), second.begin(), second.end());
  return key;
}

RunTimeInt RunTimeInts::Apply(const Node& node, OpKind kind,
                              const RunTimeInt& a, const RunTimeInt& b,
                              int64_t element) {
  if (const auto known = Combine(kind, a, b)) return *known;
  const IntLimits limits = LimitsOf(kind, a, b);
  const RunTimeInt result = Opaque(node, element, limits.low, limits.high);
  operations_[OperationKey(kind, a, b)] = result;
  if (kind == OpKind::kMultiply && !result.is_number()) {
    Elements factors = FactorsOf(a);
    const Elements others = FactorsOf(b);
    factors.insert(factors.end(), others.begin(), others.end());
    factors_[KeyOf(result)] = std::move(factors);
  }
  return result;
}

std::vector<RunTimeInt> RunTimeInts::FactorsOf(const RunTimeInt& x) const {
  const auto found = factors_.find(KeyOf(x));
  if (x.is_number() || found == factors_.end()) return {x};
  return found->second;
}

void RunTimeInts::Observe(const Node& node) {
  if (node.num_outputs() != 1 || !IsTracked(node.type())) return;
  Elements elements = Compute(node);
  if (!elements.empty()) {
    elements_[{const_cast<Node*>(&node)}] = std::move(elements);
  }
}

RunTimeInts::Elements RunTimeInts::Compute(const Node& node) {
  switch (node.kind()) {
    case OpKind::kReshape:
      return Find(node.input(0));
    case OpKind::kTranspose:
    case OpKind::kBroadcastTo:
    case OpKind::kSlice:
    case OpKind::kConcat:
      return Move(node);
    case OpKind::kGather:
      return Gather(node);
    case OpKind::kCast:
      return Convert(node);
    case OpKind::kSelect:
      return Select(node);
    case OpKind::kReduceSum:
    case OpKind::kReduceProd:
    case OpKind::kReduceMax:
    case OpKind::kReduceMin:
      return Reduce(node);
    case OpKind::kNegate: {
      Elements elements = Find(node.input(0));
      for (size_t i = 0; i < elements.size(); ++i) {
        elements[i] = Apply(node, OpKind::kSubtract, RunTimeInt::Number(0),
                            elements[i], static_cast<int64_t>(i));
      }
      return elements;
    }
    case OpKind::kBitwiseNot: {
      if (!node.type().dtype.is_bool()) return {};
      Elements elements = Find(node.input(0));
      for (size_t i = 0; i < elements.size(); ++i) {
        elements[i] = Apply(node, OpKind::kEqual, elements[i],
                            RunTimeInt::Number(0), static_cast<int64_t>(i));
      }
      return elements;
    }
    default:
      return IsBinary(node.kind()) ? Binary(node) : Elements();
  }
}

// The operands are tracked if the result is, except for slices of larger ones.
RunTimeInts::Elements RunTimeInts::Move(const Node& node) const {
  std::vector<Elements> operands;
  for (const Value input : node.inputs()) {
    if (!IsTracked(input.type())) return {};
    operands.push_back(Find(input));
  }
  const Shape& shape = node.type().shape;
  Shape index(shape.size(), 0);
  Elements elements;
  for (int64_t k = 0; k < node.type().num_elements(); ++k) {
    const Source source = SourceOf(node, index);
    elements.push_back(operands[static_cast<size_t>(source.operand)]
                               [static_cast<size_t>(source.position)]);
    Advance(shape, index);
  }
  return elements;
}

RunTimeInts::Elements RunTimeInts::Gather(const Node& node) const {
  const Elements data = Find(node.input(0)), indices = Find(node.input(1));
  const Shape& shape = node.input(0).type().shape;
  const Shape& index_shape = node.input(1).type().shape;
  const auto axis = node.attrs_as<GatherAttrs>().axis;
  if (data.empty() || indices.empty()) return {};
  IntLimits limits = {data[0].low, data[0].high};
  for (const RunTimeInt& x : data) {
    limits = {std::min(limits.low, x.low), std::max(limits.high, x.high)};
  }
  Shape index(node.type().shape.size(), 0);
  Elements elements;
  for (int64_t k = 0; k < node.type().num_elements(); ++k) {
    const auto first = index.begin() + axis;
    const auto last = first + static_cast<int64_t>(index_shape.size());
    const RunTimeInt& chosen =
        indices[static_cast<size_t>(Position(index_shape, Shape(first, last)))];
    Shape at(index.begin(), first);
    const int64_t extent = shape[static_cast<size_t>(axis)];
    at.push_back(std::clamp<int64_t>(
        chosen.low < 0 ? chosen.low + extent : chosen.low, 0, extent - 1));
    at.insert(at.end(), last, index.end());
    elements.push_back(chosen.is_number()
                           ? data[static_cast<size_t>(Position(shape, at))]
                           : Opaque(node, k, limits.low, limits.high));
    Advance(node.type().shape, index);
  }
  return elements;
}

RunTimeInts::Elements RunTimeInts::Convert(const Node& node) const {
  Elements elements = Find(node.input(0));
  const DType type = node.type().dtype;
  for (size_t i = 0; i < elements.size(); ++i) {
    RunTimeInt& x = elements[i];
    const auto k = static_cast<int64_t>(i);
    if (type.is_bool() && (x.low > 0 || x.high < 0)) {
      x = RunTimeInt::Number(1);
    } else if (type.is_bool() && (x.low < 0 || x.high > 1)) {
      x = Opaque(node, k, 0, 1);
    } else if (type == DType::Int32() &&
               (x.low < std::numeric_limits<int32_t>::min() ||
                x.high > std::numeric_limits<int32_t>::max())) {
      // An extent is far below the limit.
      const bool is_count = x.low >= 0 && !x.is_number();
      if (!is_count || x.has_upper_limit()) x = Opaque(node, k);
    }
  }
  return elements;
}

RunTimeInts::Elements RunTimeInts::Select(const Node& node) {
  Elements operands[3];
  for (int i = 0; i < 3; ++i) {
    operands[i] = Find(node.input(i));
    if (operands[i].empty()) return {};
  }
  const Shape& shape = node.type().shape;
  Shape index(shape.size(), 0);
  Elements elements;
  for (int64_t k = 0; k < node.type().num_elements(); ++k) {
    const RunTimeInt* parts[3];
    Key key = {static_cast<int64_t>(OpKind::kSelect)};
    for (int i = 0; i < 3; ++i) {
      parts[i] = &operands[i][static_cast<size_t>(
          BroadcastPosition(node.input(i).type().shape, index))];
      AppendKey(*parts[i], key);
    }
    const RunTimeInt &yes = *parts[1], &no = *parts[2];
    if (parts[0]->is_number()) {
      elements.push_back(parts[0]->low != 0 ? yes : no);
    } else if (yes == no) {
      elements.push_back(yes);
    } else {
      const auto [found, is_new] = operations_.try_emplace(std::move(key));
      if (is_new) {
        found->second = Opaque(node, k, std::min(yes.low, no.low),
                               std::max(yes.high, no.high));
      }
      elements.push_back(found->second);
    }
    Advance(shape, index);
  }
  return elements;
}

// Until the last operand, element k of the result stands for the intermediate
// results: it is the same as any of them that the rest does not change.
RunTimeInts::Elements RunTimeInts::Reduce(const Node& node) {
  const Elements operand = Find(node.input(0));
  const auto& axes = node.attrs_as<ReduceAttrs>().axes;
  const Shape& shape = node.input(0).type().shape;
  if (operand.empty()) return {};
  Shape kept = shape;
  for (const int64_t axis : axes) kept[static_cast<size_t>(axis)] = 1;
  const int64_t count = node.type().num_elements();
  const int64_t steps = static_cast<int64_t>(operand.size()) / count;
  const OpKind kind = StepOf(node.kind());
  Elements elements(static_cast<size_t>(count));
  std::vector<int64_t> done(static_cast<size_t>(count), 0);
  Shape index(shape.size(), 0);
  for (const RunTimeInt& x : operand) {
    const auto k = static_cast<size_t>(BroadcastPosition(kept, index));
    const auto element = static_cast<int64_t>(k);
    RunTimeInt& sum = elements[k];
    if (done[k] == 0) {
      sum = x;
    } else if (done[k] == steps - 1 && steps == 2) {
      sum = Apply(node, kind, sum, x, element);
    } else if (const auto known = Combine(kind, sum, x)) {
      sum = *known;
    } else {
      const IntLimits limits = LimitsOf(kind, sum, x);
      sum = Opaque(node, element, limits.low, limits.high);
    }
    ++done[k];
    Advance(shape, index);
  }
  return elements;
}

RunTimeInts::Elements RunTimeInts::Binary(const Node& node) {
  const Elements a = Find(node.input(0)), b = Find(node.input(1));
  if (a.empty() || b.empty()) return {};
  const Shape& shape = node.type().shape;
  Shape index(shape.size(), 0);
  Elements elements;
  for (int64_t k = 0; k < node.type().num_elements(); ++k) {
    const auto place = [&](int i) {
      return static_cast<size_t>(
          BroadcastPosition(node.input(i).type().shape, index));
    };
    elements.push_back(Apply(node, node.kind(), a[place(0)], b[place(1)], k));
    Advance(shape, index);
  }
  return elements;
}

}  // namespace assay::graph
