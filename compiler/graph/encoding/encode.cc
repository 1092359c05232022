#include "compiler/graph/encoding/encode.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/encoding/winograd.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
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

// Calls visit(i, k, count) for each row of the common part of two arrays, whose
// `count` elements begin at element i of `a` and at element k of `b`.
template <typename Visit>
void ForCommonRows(const Shape& a, const Shape& b, const Visit& visit) {
  Shape rows(a.size());
  for (size_t d = 0; d < a.size(); ++d) rows[d] = std::min(a[d], b[d]);
  const int64_t count = std::exchange(rows.back(), 1);
  const Shape strides_a = RowMajorStrides(a), strides_b = RowMajorStrides(b);
  for (int64_t row = 0; row < NumElements(rows); ++row) {
    int64_t rest = row, i = 0, k = 0;
    for (size_t d = a.size(); d-- > 0;) {
      i += rest % rows[d] * strides_a[d];
      k += rest % rows[d] * strides_b[d];
      rest /= rows[d];
    }
    visit(i, k, count);
  }
}

// Returns an array of another shape with the elements of `x` that it has too.
NDArray Resized(const NDArray& x, const Shape& shape) {
  NDArray result(x.dtype(), shape);
  ForCommonRows(x.shape(), shape, [&](int64_t i, int64_t k, int64_t count) {
    CopyElements(x, i, result, k, count);
  });
  return result;
}

NDArray WithIntegers(const NDArray& x, DType dtype) {
  NDArray result(dtype, x.shape());
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    StoreInt(result, i, LoadInt(x, i));
  }
  return result;
}

// matrix * x * transpose(matrix), x square; all row-major and dense.
template <typename Coefficient>
void Sandwich(int64_t rows, int64_t columns, const Coefficient& matrix,
              const double* x, double* result) {
  std::array<double, 64> half{};
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < columns; ++k) {
        sum += matrix(i, k) * x[k * columns + j];
      }
      half[static_cast<size_t>(i * columns + j)] = sum;
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < rows; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < columns; ++k) {
        sum += half[static_cast<size_t>(i * columns + k)] * matrix(j, k);
      }
      result[i * rows + j] = sum;
    }
  }
}

NDArray Apply(const PadStep& step, const NDArray& x) {
  return Resized(x, step.shape);
}
NDArray Revert(const PadStep&, const NDArray& x, const ArrayType& before) {
  return Resized(x, before.shape);
}

NDArray Apply(const CastStep& step, const NDArray& x) {
  return WithIntegers(x, step.dtype);
}
NDArray Revert(const CastStep&, const NDArray& x, const ArrayType& before) {
  return WithIntegers(x, before.dtype);
}

NDArray Apply(const ReshapeStep& step, const NDArray& x) {
  return x.Reshaped(step.shape);
}
NDArray Revert(const ReshapeStep&, const NDArray& x, const ArrayType& before) {
  return x.Reshaped(before.shape);
}

NDArray Apply(const TransposeStep& step, const NDArray& x) {
  return Permute(x, step.perm);
}
NDArray Revert(const TransposeStep& step, const NDArray& x, const ArrayType&) {
  std::vector<int64_t> inverse(step.perm.size());
  for (size_t i = 0; i < step.perm.size(); ++i) {
    inverse[static_cast<size_t>(step.perm[i])] = static_cast<int64_t>(i);
  }
  return Permute(x, inverse);
}

NDArray Apply(const SplitStep& step, const NDArray& x) {
  NDArray result(DType::BFloat16(),
                 TypeAfter(step, {x.dtype(), x.shape()}).shape);
  const int64_t count = x.num_elements();
  for (int64_t i = 0; i < count; ++i) {
    const double value = LoadFloat(x, i);
    StoreFloat(result, i, value);
    StoreFloat(result, count + i, value - LoadFloat(result, i));
  }
  return result;
}
NDArray Revert(const SplitStep&, const NDArray& x, const ArrayType& before) {
  NDArray result(before.dtype, before.shape);
  const int64_t count = result.num_elements();
  for (int64_t i = 0; i < count; ++i) {
    StoreFloat(result, i, LoadFloat(x, i) + LoadFloat(x, count + i));
  }
  return result;
}

NDArray Apply(const WinogradStep& step, const NDArray& x) {
  const WinogradMatrices& w = *FindWinograd(step.m);
  NDArray result(x.dtype(), TypeAfter(step, {x.dtype(), x.shape()}).shape);
  const int64_t filters = x.num_elements() / 9, taps = w.alpha * w.alpha;
  const float* g = x.data<float>().data();
  float* u = result.data<float>().data();
  std::array<double, 9> filter{};
  std::array<double, 64> tile{};
  for (int64_t f = 0; f < filters; ++f) {
    std::copy_n(g + f * 9, 9, filter.begin());
    Sandwich(
        w.alpha, 3, [&](int64_t i, int64_t k) { return w.filter.at(i, k); },
        filter.data(), tile.data());
    for (int64_t i = 0; i < taps; ++i) {
      u[i * filters + f] = static_cast<float>(tile[static_cast<size_t>(i)]);
    }
  }
  return result;
}
// The first and the last row of G have only their first and last coefficient.
// The second and the third row differ in the sign of the middle one.
NDArray Revert(const WinogradStep& step, const NDArray& x,
               const ArrayType& before) {
  const WinogradMatrices& w = *FindWinograd(step.m);
  NDArray result(before.dtype, before.shape);
  const int64_t filters = result.num_elements() / 9, taps = w.alpha * w.alpha;
  const auto inverse = [&](int64_t row, int64_t column) -> double {
    if (row == 0) return column == 0 ? 1 / w.filter.at(0, 0) : 0;
    if (row == 2) return column == w.alpha - 1 ? 1 / w.filter.at(column, 2) : 0;
    if (column != 1 && column != 2) return 0;
    return (column == 1 ? 0.5 : -0.5) / w.filter.at(1, 1);
  };
  const float* u = x.data<float>().data();
  float* g = result.data<float>().data();
  std::array<double, 64> tile{};
  std::array<double, 9> filter{};
  for (int64_t f = 0; f < filters; ++f) {
    for (int64_t i = 0; i < taps; ++i) {
      tile[static_cast<size_t>(i)] = u[i * filters + f];
    }
    Sandwich(3, w.alpha, inverse, tile.data(), filter.data());
    std::transform(filter.begin(), filter.end(), g + f * 9,
                   [](double v) { return static_cast<float>(v); });
  }
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

absl::StatusOr<NDArray> Encode(const NDArray& plain, const Encoding& encoding) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<EncodingStep> steps,
                         StepsOf(encoding, {plain.dtype(), plain.shape()}));
  NDArray array = plain;
  for (const EncodingStep& step : steps) {
    array = std::visit([&](const auto& s) { return Apply(s, array); }, step);
  }
  return array;
}

absl::StatusOr<NDArray> Decode(const NDArray& stored, const Encoding& encoding,
                               const ArrayType& plain) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<EncodingStep> steps,
                         StepsOf(encoding, plain));
  std::vector<ArrayType> types = {plain};
  for (const EncodingStep& step : steps) {
    types.push_back(TypeAfter(step, types.back()));
  }
  if (!(types.back() == ArrayType{stored.dtype(), stored.shape()})) {
    return absl::InvalidArgumentError(
        absl::StrCat(stored.dtype().ToString(), ShapeToString(stored.shape()),
                     " is not ", plain.dtype.ToString(),
                     ShapeToString(plain.shape), "@", ToString(encoding)));
  }
  NDArray array = stored;
  for (size_t i = steps.size(); i-- > 0;) {
    array = std::visit(
        [&](const auto& s) { return Revert(s, array, types[i]); }, steps[i]);
  }
  return array;
}

}  // namespace assay::graph
