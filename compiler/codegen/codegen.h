// Code generation: kernels of the loop IR to the code of an artifact.
//
//   ASSAY_ASSIGN_OR_RETURN(const CodeModule module,
//                          Generate(kernels, target, {}));
//   artifact.code_kind = module.kind;
//   artifact.code = module.code;
//
// This is the only way into the code generators; the target's kind selects one
// from the explicit list in codegen.cc. Nothing outside of compiler/codegen
// depends on a code generator in particular, except its own tests.
#ifndef ASSAY_COMPILER_CODEGEN_CODEGEN_H_
#define ASSAY_COMPILER_CODEGEN_CODEGEN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/codegen/backend/backend.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Generates code for `kernels`, which the loop passes of the target's kind have
// lowered (tir/passes/pipeline.h). Errors name the kernel at fault.
// InvalidArgument if two kernels have the same name.
absl::StatusOr<CodeModule> Generate(const std::vector<tir::Function>& kernels,
                                    const target::Target& target,
                                    const Options& options);

// Target::Parse() that also accepts `-mcpu=native` (with -num-cores, and no
// other option) for the machine that this runs on.
absl::StatusOr<target::Target> ResolveTarget(absl::string_view text);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_CODEGEN_H_
