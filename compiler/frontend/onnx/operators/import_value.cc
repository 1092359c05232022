#include "compiler/frontend/onnx/operators/import_value.h"

#include "runtime/base/check.h"

namespace assay::frontend {

ImportValue ImportValue::Present(ImportValue content) {
  CHECK(content.is_tensor() || content.is_sequence());
  content.is_optional_ = true;
  return content;
}

ImportValue ImportValue::Absent() {
  ImportValue absent;
  absent.is_optional_ = true;
  return absent;
}

bool ImportValue::has_content() const {
  return has_sequence() || std::get<graph::Value>(content_).node != nullptr;
}

graph::Value ImportValue::tensor() const {
  CHECK(is_tensor());
  return std::get<graph::Value>(content_);
}

const TensorSequence& ImportValue::sequence() const {
  CHECK(is_sequence());
  return *std::get<SharedSequence>(content_);
}

ImportValue ImportValue::content() const {
  CHECK(is_present());
  ImportValue content = *this;
  content.is_optional_ = false;
  return content;
}

std::vector<graph::Value> ImportValue::tensors() const {
  if (has_sequence()) return std::get<SharedSequence>(content_)->elements;
  if (!has_content()) return {};
  return {std::get<graph::Value>(content_)};
}

absl::string_view ImportValue::KindName() const {
  if (is_left_out()) return "left out";
  if (is_optional_) return "an optional value";
  return has_sequence() ? "a sequence" : "a tensor";
}

}  // namespace assay::frontend
