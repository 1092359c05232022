#include "runtime/base/dtype.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace assay {
namespace {

constexpr DType kScalars[] = {
    DType::Float16(), DType::Float32(), DType::Float64(), DType::BFloat16(),
    DType::Int(8),    DType::Int(16),   DType::Int(32),   DType::Int(64),
    DType::UInt(8),   DType::UInt(16),  DType::UInt(32),  DType::UInt(64),
    DType::Bool(),
};

std::string ScalarName(DType t) {
  switch (t.code()) {
    case DType::Code::kFloat:
      return absl::StrCat("float", t.bits());
    case DType::Code::kBFloat:
      return absl::StrCat("bfloat", t.bits());
    case DType::Code::kInt:
      return absl::StrCat("int", t.bits());
    case DType::Code::kUInt:
      return absl::StrCat("uint", t.bits());
    case DType::Code::kBool:
      return "bool";
  }
  return "invalid";
}

}  // namespace

std::string DType::ToString() const {
  std::string name = ScalarName(*this);
  if (lanes_ != 1) absl::StrAppend(&name, "x", lanes_);
  return name;
}

absl::StatusOr<DType> DType::Parse(absl::string_view text) {
  absl::string_view scalar = text;
  int lanes = 1;
  if (const size_t x = text.rfind('x'); x != absl::string_view::npos) {
    scalar = text.substr(0, x);
    if (!absl::SimpleAtoi(text.substr(x + 1), &lanes) || lanes < 2 ||
        lanes > 1024) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", text, "` is not a data type"));
    }
  }
  for (DType t : kScalars) {
    if (ScalarName(t) == scalar) return t.WithLanes(lanes);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("`", text, "` is not a data type"));
}

}  // namespace assay
