#include "compiler/graph/reference/layout.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/base/check.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {

namespace {

// An axis of a permuted array: its extent and the distance in elements of
// adjacent indices in the operand.
struct PermutedAxis {
  int64_t extent = 0;
  int64_t stride = 0;
};

// Returns the axes of the result. Axes of extent 1 are left out, and axes that
// are also adjacent in the operand are joined.
std::vector<PermutedAxis> PermutedAxes(const Shape& shape,
                                       absl::Span<const int64_t> perm) {
  const Shape strides = RowMajorStrides(shape);
  std::vector<PermutedAxis> axes;
  for (const int64_t p : perm) {
    if (shape[p] == 1) continue;
    if (!axes.empty() && axes.back().stride == shape[p] * strides[p]) {
      axes.back() = {axes.back().extent * shape[p], strides[p]};
    } else {
      axes.push_back({shape[p], strides[p]});
    }
  }
  return axes;
}

// Copies the elements that `axes` select, and returns the end of the copies.
template <typename T>
T* CopyAxes(absl::Span<const PermutedAxis> axes, const T* from, T* to) {
  if (axes.empty()) {
    *to = *from;
    return to + 1;
  }
  const PermutedAxis axis = axes[0];
  if (axes.size() == 1) {
    for (int64_t i = 0; i < axis.extent; ++i) to[i] = from[i * axis.stride];
    return to + axis.extent;
  }
  for (int64_t i = 0; i < axis.extent; ++i) {
    to = CopyAxes(axes.subspan(1), from + i * axis.stride, to);
  }
  return to;
}

template <typename T>
NDArray PermuteElements(const NDArray& x, absl::Span<const int64_t> perm,
                        Shape shape) {
  NDArray result(x.dtype(), std::move(shape));
  if (result.num_elements() == 0) return result;
  CopyAxes<T>(PermutedAxes(x.shape(), perm), static_cast<const T*>(x.raw()),
              static_cast<T*>(result.raw()));
  return result;
}

}  // namespace

NDArray Permute(const NDArray& x, absl::Span<const int64_t> perm) {
  Shape shape(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) shape[i] = x.shape()[perm[i]];
  switch (x.dtype().bytes()) {
    case 1:
      return PermuteElements<uint8_t>(x, perm, std::move(shape));
    case 2:
      return PermuteElements<uint16_t>(x, perm, std::move(shape));
    case 4:
      return PermuteElements<uint32_t>(x, perm, std::move(shape));
    default:
      CHECK_EQ(x.dtype().bytes(), 8);
      return PermuteElements<uint64_t>(x, perm, std::move(shape));
  }
}

namespace {

// [N, C/b, rest..., b] to [N, C, rest...].
NDArray UnpackChannels(const NDArray& x) {
  const Shape& shape = x.shape();
  const int64_t rank = static_cast<int64_t>(shape.size());
  std::vector<int64_t> perm = {0, 1, rank - 1};
  for (int64_t i = 2; i < rank - 1; ++i) perm.push_back(i);
  Shape plain(shape.begin(), shape.end() - 1);
  plain[1] *= shape.back();
  return Permute(x, perm).Reshaped(std::move(plain));
}

// [N, C, rest...] to [N, C/b, rest..., b].
NDArray PackChannels(const NDArray& x, int64_t block) {
  Shape split = x.shape();
  split[1] /= block;
  split.insert(split.begin() + 2, block);
  const int64_t rank = static_cast<int64_t>(split.size());
  std::vector<int64_t> perm = {0, 1};
  for (int64_t i = 3; i < rank; ++i) perm.push_back(i);
  perm.push_back(2);
  return Permute(x.Reshaped(std::move(split)), perm);
}

}  // namespace

NDArray ConvertLayout(const NDArray& x, int64_t from_block, int64_t to_block) {
  const NDArray plain = from_block > 0 ? UnpackChannels(x) : x;
  return to_block > 0 ? PackChannels(plain, to_block) : plain;
}

NDArray UnpackConvWeights(const NDArray& weights) {
  const Shape& s = weights.shape();  // O/ob, I/ib, KH, KW, ib, ob
  if (s.size() == 7) {               // O/ob, I/ib, KH, KW, ib/d, ob, d
    return Permute(weights, {0, 5, 1, 4, 6, 2, 3})
        .Reshaped({s[0] * s[5], s[1] * s[4] * s[6], s[2], s[3]});
  }
  return Permute(weights, {0, 5, 1, 4, 2, 3})
      .Reshaped({s[0] * s[5], s[1] * s[4], s[2], s[3]});
}

NDArray SumOfParts(const NDArray& parts, int64_t axis) {
  Shape shape = parts.shape();
  const int64_t count = shape[axis];
  shape.erase(shape.begin() + axis);
  int64_t inner = 1;
  for (size_t d = axis; d < shape.size(); ++d) inner *= shape[d];
  NDArray result(DType::Float32(), shape);
  for (int64_t i = 0; i < result.num_elements(); ++i) {
    double sum = 0;
    for (int64_t p = 0; p < count; ++p) {
      sum += LoadFloat(parts, (i / inner * count + p) * inner + i % inner);
    }
    StoreFloat(result, i, sum);
  }
  return result;
}

NDArray UnpackSplitConvWeights(const NDArray& weights, int64_t channels,
                               int64_t folded_columns) {
  if (folded_columns > 0) {
    const NDArray folded =
        UnpackSplitConvWeights(weights, channels * folded_columns, 0);
    const Shape& s = folded.shape();
    return Permute(folded.Reshaped({s[0], folded_columns, channels, s[2]}),
                   {0, 2, 3, 1});
  }
  const NDArray sums = SumOfParts(weights, 4);
  const Shape& s = sums.shape();  // O/ob, blocks, KH, KW, c/f, ob, f
  const int64_t all = s[1] * s[4] * s[6];
  const NDArray padded = Permute(sums, {0, 5, 1, 4, 6, 2, 3})
                             .Reshaped({s[0] * s[5], all, s[2], s[3]});
  NDArray result(padded.dtype(), {s[0] * s[5], channels, s[2], s[3]});
  const int64_t taps = s[2] * s[3];
  for (int64_t o = 0; o < s[0] * s[5]; ++o) {
    std::copy_n(padded.data<float>().data() + o * all * taps, channels * taps,
                result.data<float>().data() + o * channels * taps);
  }
  return result;
}

}  // namespace assay::graph::reference
