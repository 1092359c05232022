#include "compiler/target/target_kind.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::target {
namespace {

constexpr TargetKindRow kKinds[] = {
    {TargetKind::kLlvm, "llvm", true},
    {TargetKind::kBytecode, "bytecode", false},
};

}  // namespace

absl::Span<const TargetKindRow> TargetKinds() { return kKinds; }

const TargetKindRow& RowOf(TargetKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

absl::StatusOr<TargetKind> ParseTargetKind(absl::string_view name) {
  for (const TargetKindRow& row : kKinds) {
    if (row.name == name) return row.kind;
  }
  const auto quoted = [](std::string* out, const TargetKindRow& row) {
    absl::StrAppend(out, "`", row.name, "`");
  };
  return absl::InvalidArgumentError(
      absl::StrCat("`", name, "` is not a code generator; there is ",
                   absl::StrJoin(kKinds, ", ", quoted)));
}

}  // namespace assay::target
