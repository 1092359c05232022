// make_operator_cases TARGET OBJECT CASES
//
// Compiles OperatorCases for TARGET into the shared object OBJECT, and writes
// the inputs of each case and the outputs of the graph reference interpreter to
// CASES. run_cases checks them on the target machine.
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/codegen/codegen.h"
#include "compiler/graph/encoding/encode.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/testing/operator_cases.h"
#include "compiler/target/target.h"
#include "compiler/tir/passes/pipeline.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::ops {
namespace {

constexpr uint64_t kSeed = 20261121;

absl::Status AddCase(const OperatorCase& c, const target::Target& target,
                     std::vector<tir::Function>& functions,
                     runtime::NamedTensors& tensors) {
  const std::unique_ptr<graph::Graph> body = graph::GraphFromText(c.graph);
  ASSAY_ASSIGN_OR_RETURN(const Kernel kernel, BuildKernel(*body, target));
  ASSAY_ASSIGN_OR_RETURN(
      const tir::Function lowered,
      lower::Lower(kernel.schedule, c.name, kernel.inputs, kernel.outputs));
  functions.push_back(tir::LowerLoops(lowered));
  Rng rng(kSeed);
  std::vector<NDArray> inputs;
  for (const graph::Node* input : body->inputs()) {
    inputs.emplace_back(input->type().dtype, input->type().shape);
    rng.FillUniform(inputs.back(), c.low, c.high);
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> outputs,
                         graph::Evaluate(*body, inputs));
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(
        const NDArray stored,
        graph::Encode(inputs[i], body->inputs()[i]->type().encoding));
    tensors.push_back({absl::StrCat(c.name, "/in/", i), stored});
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(
        const NDArray stored,
        graph::Encode(outputs[i], body->outputs()[i].value.type().encoding));
    tensors.push_back({absl::StrCat(c.name, "/out/", i), stored});
  }
  tensors.push_back({absl::StrCat(c.name, "/tolerance"),
                     NDArray::FromVector<double>({}, {c.tolerance})});
  return absl::OkStatus();
}

absl::Status MakeCases(const std::string& target_text,
                       const std::string& object_path,
                       const std::string& cases_path) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         target::Target::Parse(target_text));
  std::vector<tir::Function> functions;
  runtime::NamedTensors tensors;
  for (const OperatorCase& c : OperatorCases()) {
    const absl::Status status = AddCase(c, target, functions, tensors);
    if (!status.ok()) {
      return absl::Status(status.code(),
                          absl::StrCat(c.name, ": ", status.message()));
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const codegen::CodeModule module,
                         codegen::Generate(functions, target, {}));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(object_path, module.code));
  return runtime::WriteTensors(cases_path, tensors);
}

}  // namespace
}  // namespace assay::ops

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: make_operator_cases TARGET OBJECT CASES\n";
    return 2;
  }
  const absl::Status status = assay::ops::MakeCases(argv[1], argv[2], argv[3]);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}
