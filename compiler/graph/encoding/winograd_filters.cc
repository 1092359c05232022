#include "compiler/graph/encoding/winograd_filters.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/encoding/winograd.h"

namespace assay::graph {

absl::StatusOr<std::vector<EncodingStep>> WinogradFilters::Steps(
    const ArrayType& plain) const {
  const Shape& s = plain.shape;
  const WinogradMatrices* w = FindWinograd(m);
  if (w == nullptr || plain.dtype != DType::Float32() || s.size() != 4 ||
      s[2] != 3 || s[3] != 3 || block < 1 || s[0] % block != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Winograd's algorithm with tiles of ", m, " and blocks of ", block,
        " filters is not possible for weights ", plain.dtype.ToString(),
        ShapeToString(s)));
  }
  return std::vector<EncodingStep>{
      WinogradStep{m},
      ReshapeStep{{w->alpha, w->alpha, s[0] / block, block, s[1]}},
      TransposeStep{{0, 1, 2, 4, 3}}};
}

}  // namespace assay::graph
