#include "compiler/graph/op/tensor_type.h"

#include <algorithm>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {

ArrayType TensorType::stored() const {
  if (IsPlain(encoding)) return {dtype, shape};
  auto type = StoredType(encoding, {dtype, shape});
  CHECK(type.ok()) << type.status().message();
  return *std::move(type);
}

int64_t TensorType::num_bytes() const {
  const ArrayType array = stored();
  return NumElements(array.shape) * array.dtype.bytes();
}

bool TensorType::IsRowMajor() const {
  if (IsPlain(encoding)) return true;
  return std::holds_alternative<ChannelBlocks>(encoding) &&
         std::all_of(shape.begin() + 2, shape.end(),
                     [](int64_t extent) { return extent == 1; });
}

std::string TensorType::ToString() const {
  std::string text = absl::StrCat(dtype.ToString(), ShapeToString(shape));
  if (!IsPlain(encoding)) {
    absl::StrAppend(&text, "@", graph::ToString(encoding));
  }
  return text;
}

absl::StatusOr<TensorType> TensorType::Parse(absl::string_view text) {
  if (const size_t at = text.find('@'); at != absl::string_view::npos) {
    ASSAY_ASSIGN_OR_RETURN(TensorType type, Parse(text.substr(0, at)));
    ASSAY_ASSIGN_OR_RETURN(type.encoding, ParseEncoding(text.substr(at + 1)));
    ASSAY_RETURN_IF_ERROR(
        StoredType(type.encoding, {type.dtype, type.shape}).status());
    return type;
  }
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
