// make_cases PROGRAMS TARGET OBJECT CASES
//
// Compiles the programs for TARGET into the shared object OBJECT, and writes to
// CASES the inputs of each and the interpreter's outputs, which run_cases
// checks on the other machine.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/codegen/llvm/testing/differential.h"
#include "compiler/codegen/llvm/testing/programs.h"
#include "compiler/target/target.h"
#include "compiler/tir/interpreter.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

constexpr uint64_t kSeed = 1;

// Tensors are named `<kernel>/in/<n>` and `<kernel>/out/<n>`.
absl::Status MakeCases(const std::string& programs_path,
                       const std::string& target_text,
                       const std::string& object_path,
                       const std::string& cases_path) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<tir::Function> programs,
                         LoadPrograms(programs_path));
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         target::Target::Parse(target_text));
  ASSAY_ASSIGN_OR_RETURN(const CodeModule module,
                         GenerateLlvm(programs, target, {}));
  runtime::NamedTensors tensors;
  for (const tir::Function& f : programs) {
    const std::vector<NDArray> inputs = RandomInputs(f, kSeed);
    ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> outputs,
                           tir::Interpret(f, inputs));
    for (size_t i = 0; i < inputs.size(); ++i) {
      tensors.push_back({absl::StrCat(f.name, "/in/", i), inputs[i]});
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      tensors.push_back({absl::StrCat(f.name, "/out/", i), outputs[i]});
    }
  }
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(object_path, module.code));
  return runtime::WriteTensors(cases_path, tensors);
}

}  // namespace
}  // namespace assay::codegen

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: make_cases PROGRAMS TARGET OBJECT CASES\n";
    return 2;
  }
  const absl::Status status =
      assay::codegen::MakeCases(argv[1], argv[2], argv[3], argv[4]);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}
