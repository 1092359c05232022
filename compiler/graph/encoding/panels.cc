#include "compiler/graph/encoding/panels.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::graph {
namespace {

constexpr int64_t kTileDepth = 32, kTileFactors = 2;

// Wider panels do not occur, and the number of columns of wide ones overflows.
constexpr int64_t kMostColumns = int64_t{1} << 31;

bool Fits(const Panels& p, const ArrayType& plain) {
  const Shape& s = plain.shape;
  if (s.size() != 2 || p.width < 1 || p.width > kMostColumns || p.factors < 1 ||
      p.depth < s[p.transposed ? 1 : 0] || p.depth % p.factors != 0) {
    return false;
  }
  if (!p.split) {
    return p.dtype == DType() ||
           (p.factors > 1 && HoldsIntegers(p.dtype, plain.dtype));
  }
  return plain.dtype == DType::Float32() && p.factors == 1 &&
         p.dtype == DType() && p.depth % kTileDepth == 0;
}

}  // namespace

absl::StatusOr<std::vector<EncodingStep>> Panels::Steps(
    const ArrayType& plain) const {
  if (!Fits(*this, plain)) {
    return absl::InvalidArgumentError(
        absl::StrCat("panels of ", depth, " rows and ", width, " columns with ",
                     factors, " neighbours do not fit a matrix ",
                     plain.dtype.ToString(), ShapeToString(plain.shape)));
  }
  const size_t columns = transposed ? 0 : 1;
  const int64_t number = (plain.shape[columns] + width - 1) / width;
  Shape padded(2);
  padded[columns] = number * width;
  padded[1 - columns] = depth;
  std::vector<EncodingStep> steps;
  if (padded != plain.shape) steps.emplace_back(PadStep{padded});
  // Returns the axes of the split matrix: `parts` axes of the rows, and the
  // panels and their columns.
  const auto split_into = [&](const Shape& of_rows) {
    Shape shape = transposed ? Shape{number, width} : of_rows;
    const Shape& rest = transposed ? of_rows : Shape{number, width};
    shape.insert(shape.end(), rest.begin(), rest.end());
    return shape;
  };
  using Perm = std::vector<int64_t>;
  if (split) {
    Shape shape = split_into(
        {depth / kTileDepth, kTileDepth / kTileFactors, kTileFactors});
    shape.insert(shape.begin(), 2);
    steps.emplace_back(SplitStep{});
    steps.emplace_back(ReshapeStep{shape});
    steps.emplace_back(TransposeStep{transposed ? Perm{1, 3, 0, 4, 2, 5}
                                                : Perm{4, 1, 0, 2, 5, 3}});
    return steps;
  }
  if (factors > 1) {
    if (dtype != DType() && dtype != plain.dtype) {
      steps.emplace_back(CastStep{dtype});
    }
    steps.emplace_back(ReshapeStep{split_into({depth / factors, factors})});
    steps.emplace_back(
        TransposeStep{transposed ? Perm{0, 2, 1, 3} : Perm{2, 0, 3, 1}});
    return steps;
  }
  steps.emplace_back(ReshapeStep{split_into({depth})});
  steps.emplace_back(TransposeStep{transposed ? Perm{0, 2, 1} : Perm{1, 0, 2}});
  return steps;
}

}  // namespace assay::graph
