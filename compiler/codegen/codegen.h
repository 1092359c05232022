// Code generation: compiles loop-IR kernels to the code of an artifact.
//
//   ASSAY_ASSIGN_OR_RETURN(const CodeModule module,
//                          Generate(kernels, target, {}));
//   artifact.code_kind = module.kind;
//   artifact.code = module.code;
//
// The kind of the target selects the code generator from the list in
// codegen.cc. Outside compiler/codegen, only tests include the header of a
// particular code generator. All other users include this header.
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
// if two kernels have the same name. If code generation fails for a kernel, the
// error message contains the name of the kernel.
absl::StatusOr<CodeModule> Generate(const std::vector<tir::Function>& kernels,
                                    const target::Target& target,
                                    const Options& options);

// Parses the text of a target in the same way as Target::Parse(), but also
// accepts the option `-mcpu=native`. This option selects the processor of this
// machine with all its features. The only option that can be combined with it
// is `-num-cores`.
absl::StatusOr<target::Target> ResolveTarget(absl::string_view text);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_CODEGEN_H_
