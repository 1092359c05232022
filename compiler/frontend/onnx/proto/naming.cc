#include "compiler/frontend/onnx/proto/naming.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_join.h"

namespace assay::frontend {
namespace {

constexpr size_t kMaxNameLength = 120;
// The most names that QuoteList() lists.
constexpr size_t kMaxListed = 16;

}  // namespace

std::string Escape(absl::string_view name) {
  const bool cut = name.size() > kMaxNameLength;
  return absl::StrCat(absl::Utf8SafeCEscape(name.substr(0, kMaxNameLength)),
                      cut ? "…" : "");
}

std::string Quote(absl::string_view name) {
  return absl::StrCat("`", Escape(name), "`");
}

std::string QuoteList(absl::Span<const std::string> names) {
  if (names.empty()) return "none";
  return absl::StrCat(
      absl::StrJoin(names.first(std::min(names.size(), kMaxListed)), ", ",
                    [](std::string* out, const std::string& name) {
                      absl::StrAppend(out, Quote(name));
                    }),
      names.size() > kMaxListed ? ", …" : "");
}

std::string NodeLabel(const onnx::NodeProto& node, int index) {
  const std::string op =
      std::string(absl::string_view(Quote(node.op_type())).substr(1));
  const std::string op_type = op.substr(0, op.size() - 1);
  if (!node.name().empty()) {
    return absl::StrCat("node ", Quote(node.name()), " (", op_type, ")");
  }
  if (node.output_size() == 0) {
    return absl::StrCat("node ", index, " (", op_type, ")");
  }
  return absl::StrCat("node ", index, " (", op_type, ", result ",
                      Quote(node.output(0)), ")");
}

absl::Status Annotate(const absl::Status& status, absl::string_view label) {
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(label, ": ", status.message()));
}

}  // namespace assay::frontend
