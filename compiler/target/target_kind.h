// TargetKind: identifies a code generator. The text form of a target begins
// with the name of its kind.
//
// Loop passes (tir/passes/pipeline.h), operator implementations
// (ops/implementation.h) and back ends (codegen/codegen.cc) are listed per
// kind. compiler/docs/adding_a_target.md describes how to add a kind.
#ifndef ASSAY_COMPILER_TARGET_TARGET_KIND_H_
#define ASSAY_COMPILER_TARGET_TARGET_KIND_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::target {

// kLlvm generates machine code. kBytecode generates code for the interpreter in
// runtime/device/interpreter.
enum class TargetKind : uint8_t { kLlvm, kBytecode };

struct TargetKindRow {
  TargetKind kind;
  const char* name;
  // True if the kind generates machine code. Its targets then require a triple.
  bool has_triple;
};

// Returns one row per enumerator, in the order of the enumerators.
absl::Span<const TargetKindRow> TargetKinds();

const TargetKindRow& RowOf(TargetKind kind);

// Returns InvalidArgument, with the list of kinds, if no kind is called `name`.
absl::StatusOr<TargetKind> ParseTargetKind(absl::string_view name);

}  // namespace assay::target

#endif  // ASSAY_COMPILER_TARGET_TARGET_KIND_H_
