// Code generation: compiles loop-IR kernels to the code of an artifact.
//
//   ASSAY_ASSIGN_OR_RETURN(const CodeModule module,
//                          Generate(kernels, target, {}));
//   artifact.code_kind = module.kind;
//   artifact.code = module.code;
//
// The kind of the target selects the code generator from the list in
// codegen.cc. Code outside compiler/codegen generates code only through this
// header; only tests include the header of a particular code generator.
#ifndef ASSAY_COMPILER_CODEGEN_CODEGEN_H_
#define ASSAY_COMPILER_CODEGEN_CODEGEN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/codegen/backend/backend.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Generates code for `kernels`. The loop passes of the target's kind
// (tir/passes/pipeline.h) must have run on the kernels. Returns InvalidArgument
// if two kernels have the same name. An error in a kernel names the kernel.
absl::StatusOr<CodeModule> Generate(const std::vector<tir::Function>& kernels,
                                    const target::Target& target,
                                    const Options& options);

// Parses a target like Target::Parse(), and also accepts `-mcpu=native`, which
// selects the processor of this machine and its features. Besides
// `-mcpu=native`, only the option `-num-cores` is allowed.
absl::StatusOr<target::Target> ResolveTarget(absl::string_view text);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_CODEGEN_H_
