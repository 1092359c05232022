// The text of the values of fields (attr_field.h). ReadValue is the inverse of
// ValueText: it returns false if the text is not a value of the type.
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_FIELD_TEXT_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_FIELD_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/dtype.h"

namespace assay::graph {

inline std::string ValueText(bool v) { return v ? "true" : "false"; }
inline std::string ValueText(int64_t v) { return absl::StrCat(v); }
inline std::string ValueText(DType v) { return v.ToString(); }

inline bool ReadValue(absl::string_view text, bool* out) {
  if (text != "true" && text != "false") return false;
  *out = text == "true";
  return true;
}
inline bool ReadValue(absl::string_view text, int64_t* out) {
  return absl::SimpleAtoi(text, out);
}
inline bool ReadValue(absl::string_view text, DType* out) {
  const absl::StatusOr<DType> dtype = DType::Parse(text);
  if (dtype.ok()) *out = *dtype;
  return dtype.ok();
}

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_FIELD_TEXT_H_
