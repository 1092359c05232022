#include "compiler/graph/reference/rounding_noise.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/reference/broadcast.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"

namespace assay::graph {
namespace {

// State of the random numbers; 0 without noise.
std::atomic<uint64_t> noise_state = 0;

// The number of terms of the sums that `node` computes; 1 if it computes none.
double NumTerms(const Node& node) {
  const auto elements = [](const TensorType& type) {
    return static_cast<double>(std::max<int64_t>(type.num_elements(), 1));
  };
  switch (node.kind()) {
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
      return elements(node.input(1).type()) /
             static_cast<double>(node.input(1).type().shape[0]);
    case OpKind::kDense:
    case OpKind::kMatmul:
      return static_cast<double>(node.input(0).type().shape.back());
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
    case OpKind::kLayerNorm:
      return static_cast<double>(node.type().shape.back());
    default:
      return OpPattern(node.kind()) == PatternKind::kCommReduce ||
                     node.kind() == OpKind::kGlobalAvgPool2d
                 ? elements(node.input(0).type()) / elements(node.type())
                 : 1;
  }
}

// Returns a random number in [-1, 1), and the next `state` (xorshift64).
double NextSide(uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<double>(state >> 32) / 2147483648.0 - 1;
}

// The root of the mean square of all finite elements.
template <typename T>
double UsualSize(absl::Span<const T> values) {
  double sum = 0, count = 0;
  for (const T value : values) {
    if (!std::isfinite(value)) continue;
    sum += static_cast<double>(value) * static_cast<double>(value);
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / count);
}

// Moves each element, which is a sum of `terms` terms, by at most sqrt(terms)
// units in the last place. The terms of a sum that is close to 0 cancel each
// other, and its error is that of larger sums.
template <typename T>
void MoveSums(double terms, NDArray& result) {
  NDArray noisy(result.dtype(), result.shape());
  const absl::Span<const T> from = result.data<T>();
  const absl::Span<T> to = noisy.data<T>();
  const T least = terms > 1 ? static_cast<T>(UsualSize(from)) : 0;
  const double units = std::sqrt(terms);
  uint64_t state = noise_state;
  for (size_t i = 0; i < from.size(); ++i) {
    const double side = NextSide(state);
    const T unit =
        std::max(std::abs(from[i]), least) * std::numeric_limits<T>::epsilon();
    to[i] = from[i] + static_cast<T>(side * units) * unit;
    if (!std::isfinite(to[i])) to[i] = from[i];
  }
  noise_state = state;
  result = std::move(noisy);
}

// Returns the exact product less `product`, its rounded value. This difference
// is a number of the type, unless it is denormal.
template <typename T>
NDArray ResiduesOf(const NDArray& a, const NDArray& b, const NDArray& product) {
  NDArray residues(product.dtype(), product.shape());
  const absl::Span<T> to = residues.data<T>();
  reference::ForEachBroadcast<2>(
      {&a, &b}, product.shape(),
      [&](int64_t k, const std::array<int64_t, 2>& at) {
        const T rounded = product.data<T>()[static_cast<size_t>(k)];
        if (!std::isfinite(rounded)) return;
        to[static_cast<size_t>(k)] =
            std::fma(a.data<T>()[static_cast<size_t>(at[0])],
                     b.data<T>()[static_cast<size_t>(at[1])], -rounded);
      });
  return residues;
}

// Rounds each product to one of its two neighbours, with probabilities that
// make the mean exact.
template <typename T>
void MoveProducts(const NDArray& residues, NDArray& result) {
  NDArray noisy = result.Clone();
  const absl::Span<T> to = noisy.data<T>();
  uint64_t state = noise_state;
  for (size_t i = 0; i < to.size(); ++i) {
    const double side = NextSide(state);
    const T residue = residues.data<T>()[i];
    if (residue == 0) continue;
    const T next = std::nextafter(
        to[i], std::copysign(std::numeric_limits<T>::infinity(), residue));
    // The probability is the share of the distance of the neighbours.
    if (std::abs(side) * std::abs(next - to[i]) < std::abs(residue) &&
        std::isfinite(next)) {
      to[i] = next;
    }
  }
  noise_state = state;
  result = std::move(noisy);
}

// Adds `residues` to operand `product` of the addition or subtraction whose
// operands are `in`, in about every second element: a fused multiply-add.
template <typename T>
void FuseProduct(const Node& node, absl::Span<const NDArray> in, int product,
                 const NDArray& residues, NDArray& result) {
  NDArray noisy = result.Clone();
  const absl::Span<T> to = noisy.data<T>();
  const long double sign = node.kind() == OpKind::kSubtract ? -1 : 1;
  uint64_t state = noise_state;
  reference::ForEachBroadcast<3>(
      {&in[0], &in[1], &residues}, result.shape(),
      [&](int64_t k, const std::array<int64_t, 3>& at) {
        const double side = NextSide(state);
        const T residue = residues.data<T>()[static_cast<size_t>(at[2])];
        if (side < 0 || residue == 0) return;
        long double x = in[0].data<T>()[static_cast<size_t>(at[0])];
        long double y = in[1].data<T>()[static_cast<size_t>(at[1])];
        (product == 0 ? x : y) += residue;
        const T fused = static_cast<T>(x + sign * y);
        if (std::isfinite(fused)) to[static_cast<size_t>(k)] = fused;
      });
  noise_state = state;
  result = std::move(noisy);
}

// The residues of products that additions will read.
struct Residues {
  NDArray values;
  int64_t uses = 0;
};
using ResidueMap = absl::flat_hash_map<const Node*, Residues>;
ResidueMap& PendingResidues() {
  static ResidueMap& residues = *new ResidueMap;
  return residues;
}

// Moves one element in twelve of a 16-bit float type to a neighbour.
void Move16Bits(NDArray& result) {
  const double epsilon = result.dtype() == DType::Float16() ? 0x1p-10 : 0x1p-7;
  NDArray noisy = result.Clone();
  uint64_t state = noise_state;
  for (int64_t i = 0; i < result.num_elements(); ++i) {
    const double side = NextSide(state);
    const double value = LoadFloat(result, i);
    if (std::abs(side) < 11.0 / 12 || !std::isfinite(value)) continue;
    // This is between 0.75 and 1.5 units in the last place.
    StoreFloat(noisy, i, value + std::copysign(0.75 * epsilon * value, side));
    if (!std::isfinite(LoadFloat(noisy, i))) StoreFloat(noisy, i, value);
  }
  noise_state = state;
  result = std::move(noisy);
}

bool IsAddition(OpKind kind) {
  return kind == OpKind::kAdd || kind == OpKind::kSubtract;
}

bool IsFloat32Or64(DType type) {
  return type == DType::Float32() || type == DType::Float64();
}

int64_t NumAdditions(const Node& product) {
  return std::count_if(
      product.users().begin(), product.users().end(),
      [](const Use& use) { return IsAddition(use.user->kind()); });
}

// Returns true if a program may join the product with an addition that does not
// read it directly: elements are moved, or signs changed, between them.
bool IsAddedLater(const Node& product) {
  for (const Use& use : product.users()) {
    const Node& user = *use.user;
    if ((user.kind() == OpKind::kNegate ||
         user.kind() == OpKind::kBroadcastTo ||
         OpPattern(user.kind()) == PatternKind::kInjective) &&
        (NumAdditions(user) > 0 || IsAddedLater(user))) {
      return true;
    }
  }
  return false;
}

bool HasProduct(const Node& addition) {
  return std::any_of(
      addition.inputs().begin(), addition.inputs().end(),
      [](Value x) { return x.node->kind() == OpKind::kMultiply; });
}

template <typename T>
void NoteProduct(const Node& node, absl::Span<const NDArray> inputs,
                 NDArray& result) {
  const int64_t additions = NumAdditions(node);
  const bool is_added_later = IsAddedLater(node);
  if (additions == 0 && !is_added_later) return;
  NDArray residues = ResiduesOf<T>(inputs[0], inputs[1], result);
  if (is_added_later) {
    MoveProducts<T>(residues, result);
    residues = ResiduesOf<T>(inputs[0], inputs[1], result);
  }
  if (additions > 0)
    PendingResidues()[&node] = {std::move(residues), additions};
}

template <typename T>
void FuseProducts(const Node& node, absl::Span<const NDArray> inputs,
                  NDArray& result) {
  for (int i = 0; i < node.num_inputs(); ++i) {
    const auto found = PendingResidues().find(node.input(i).node);
    if (found == PendingResidues().end()) continue;
    FuseProduct<T>(node, inputs, i, found->second.values, result);
    if (--found->second.uses == 0) PendingResidues().erase(found);
  }
}

template <typename T>
void Move(const Node& node, absl::Span<const NDArray> inputs, NDArray& result) {
  if (node.kind() == OpKind::kMultiply) {
    NoteProduct<T>(node, inputs, result);
  } else if (IsAddition(node.kind())) {
    FuseProducts<T>(node, inputs, result);
  } else if (!IsBitExact(node)) {
    MoveSums<T>(NumTerms(node), result);
  }
}

}  // namespace

ScopedRoundingNoise::ScopedRoundingNoise(uint64_t seed) {
  CHECK_NE(seed, 0u);
  CHECK_EQ(noise_state.exchange(seed), 0u);
}

ScopedRoundingNoise::~ScopedRoundingNoise() {
  noise_state = 0;
  PendingResidues().clear();
}

bool IsBitExact(const Node& node) {
  switch (node.kind()) {
    case OpKind::kMultiply:
      return !IsFloat32Or64(node.type().dtype) || !IsAddedLater(node);
    case OpKind::kAdd:
    case OpKind::kSubtract:
      return !IsFloat32Or64(node.type().dtype) || !HasProduct(node);
    case OpKind::kInput:
    case OpKind::kConstant:
    case OpKind::kDivide:
    case OpKind::kSqrt:
    case OpKind::kRelu:
    case OpKind::kLeakyRelu:
    case OpKind::kPrelu:
    case OpKind::kNegate:
    case OpKind::kAbs:
    case OpKind::kSign:
    case OpKind::kFloor:
    case OpKind::kCeil:
    case OpKind::kRound:
    case OpKind::kClip:
    case OpKind::kMaximum:
    case OpKind::kMinimum:
    case OpKind::kSelect:
    case OpKind::kCast:
    case OpKind::kBroadcastTo:
    case OpKind::kMaxPool2d:
    case OpKind::kGlobalMaxPool2d:
    case OpKind::kMaxRoiPool:
    case OpKind::kReduceMax:
    case OpKind::kReduceMin:
    case OpKind::kUnique:
    case OpKind::kDequantize:
      return true;
    case OpKind::kScatterElements:
      return node.attrs_as<ScatterElementsAttrs>().reduction ==
             ScatterReduction::kNone;
    case OpKind::kScatterNd:
      return node.attrs_as<ScatterNdAttrs>().reduction ==
             ScatterReduction::kNone;
    default:
      return OpPattern(node.kind()) == PatternKind::kInjective ||
             std::none_of(
                 node.types().begin(), node.types().end(),
                 [](const TensorType& type) { return type.dtype.is_float(); });
  }
}

void AddRoundingNoise(const Node& node, absl::Span<const NDArray> inputs,
                      std::vector<NDArray>& results) {
  if (noise_state == 0 || node.kind() == OpKind::kConstant ||
      OpPattern(node.kind()) == PatternKind::kInjective) {
    return;
  }
  for (NDArray& result : results) {
    if (result.dtype().is_float() && result.dtype().bits() == 16) {
      Move16Bits(result);
    } else if (result.dtype() == DType::Float32()) {
      Move<float>(node, inputs, result);
    } else if (result.dtype() == DType::Float64()) {
      Move<double>(node, inputs, result);
    }
  }
}

}  // namespace assay::graph
