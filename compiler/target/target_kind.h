// TargetKind: the code generators, by the name that begins a target's text.
//
// Loop passes (tir/passes/pipeline.h), operator implementations
// (ops/implementation.h) and back ends (codegen/codegen.cc) have lists with an
// entry per kind. compiler/docs/adding_a_target.md gives the steps of adding
// one.
#ifndef ASSAY_COMPILER_TARGET_TARGET_KIND_H_
#define ASSAY_COMPILER_TARGET_TARGET_KIND_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::target {

// kLlvm: machine code. kBytecode: code for runtime/device/interpreter.
enum class TargetKind : uint8_t { kLlvm, kBytecode };

struct TargetKindRow {
  TargetKind kind;
  const char* name;
  // Returns true if the code is machine code, so that a target needs a triple.
  bool has_triple;
};

// One row per enumerator, in order.
absl::Span<const TargetKindRow> TargetKinds();

const TargetKindRow& RowOf(TargetKind kind);

// InvalidArgument, listing the kinds, if no kind is called `name`.
absl::StatusOr<TargetKind> ParseTargetKind(absl::string_view name);

}  // namespace assay::target

#endif  // ASSAY_COMPILER_TARGET_TARGET_KIND_H_
