#include "compiler/graph/op/tensor_type.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {

std::string TensorType::ToString() const {
  return absl::StrCat(dtype.ToString(), ShapeToString(shape));
}

absl::StatusOr<TensorType> TensorType::Parse(absl::string_view text) {
  const size_t open = text.find('[');
  if (open == absl::string_view::npos || text.back() != ']') {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is not a tensor type"));
  }
  TensorType type;
  ASSAY_ASSIGN_OR_RETURN(type.dtype, DType::Parse(text.substr(0, open)));
  if (!type.dtype.is_scalar()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is not a tensor type"));
  }
  const absl::string_view extents =
      text.substr(open + 1, text.size() - open - 2);
  if (!extents.empty()) {
    for (absl::string_view part : absl::StrSplit(extents, ',')) {
      int64_t extent = 0;
      if (!absl::SimpleAtoi(part, &extent)) {
        return absl::InvalidArgumentError(
            absl::StrCat("`", text, "` is not a tensor type"));
      }
      type.shape.push_back(extent);
    }
  }
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(type.shape).status());
  return type;
}

std::ostream& operator<<(std::ostream& os, const TensorType& type) {
  return os << type.ToString();
}

}  // namespace assay::graph
