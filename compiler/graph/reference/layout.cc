#include <utility>

#include "compiler/graph/reference/reference_ops.h"

namespace assay::graph::reference {
namespace {

// [N, C/b, rest..., b] to [N, C, rest...].
NDArray UnpackChannels(const NDArray& x) {
  const Shape& shape = x.shape();
  const int64_t rank = static_cast<int64_t>(shape.size());
  std::vector<int64_t> perm = {0, 1, rank - 1};
  for (int64_t i = 2; i < rank - 1; ++i) perm.push_back(i);
  Shape plain(shape.begin(), shape.end() - 1);
  plain[1] *= shape.back();
  return Transpose(x, perm).Reshaped(std::move(plain));
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
  return Transpose(x.Reshaped(std::move(split)), perm);
}

}  // namespace

NDArray LayoutTransform(const NDArray& x, int64_t from_block,
                        int64_t to_block) {
  const NDArray plain = from_block > 0 ? UnpackChannels(x) : x;
  return to_block > 0 ? PackChannels(plain, to_block) : plain;
}

NDArray UnpackConvWeights(const NDArray& weights) {
  const Shape& s = weights.shape();  // O/ob, I/ib, KH, KW, ib, ob
  if (s.size() == 7) {               // O/ob, I/ib, KH, KW, ib/d, ob, d
    return Transpose(weights, {0, 5, 1, 4, 6, 2, 3})
        .Reshaped({s[0] * s[5], s[1] * s[4] * s[6], s[2], s[3]});
  }
  return Transpose(weights, {0, 5, 1, 4, 2, 3})
      .Reshaped({s[0] * s[5], s[1] * s[4], s[2], s[3]});
}

}  // namespace assay::graph::reference
