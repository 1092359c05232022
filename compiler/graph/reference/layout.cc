#include "compiler/graph/reference/layout.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/base/element.h"

namespace assay::graph::reference {

NDArray Permute(const NDArray& x, absl::Span<const int64_t> perm) {
  const size_t rank = perm.size();
  const size_t size = x.dtype().bytes();
  const Shape strides = RowMajorStrides(x.shape());
  Shape shape(rank);
  for (size_t i = 0; i < rank; ++i) shape[i] = x.shape()[perm[i]];
  NDArray result(x.dtype(), shape);
  char* out = static_cast<char*>(result.raw());
  Shape index(rank, 0);
  for (int64_t k = 0; k < result.num_elements(); ++k) {
    int64_t offset = 0;
    for (size_t i = 0; i < rank; ++i) offset += index[i] * strides[perm[i]];
    std::memcpy(out + k * size,
                static_cast<const char*>(x.raw()) + offset * size, size);
    for (int i = static_cast<int>(rank) - 1; i >= 0; --i) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
  return result;
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
