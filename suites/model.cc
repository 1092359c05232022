// //suites:model measures any ONNX file, like //suites:resnet18.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/model_inputs.h"
#include "suites/correctness/onnx_model.h"
#include "suites/harness/suite_main.h"
#include "suites/tensors/tensor_files.h"

namespace assay::suites {
namespace {

absl::StatusOr<Model> Load(const Options& options) {
  std::map<std::string, int64_t> dims = options.model.dims;
  const int64_t max_memory = options.compile.max_memory;
  if (!options.model.inputs.empty()) {
    ASSAY_ASSIGN_OR_RETURN(const InputFile inputs,
                           OpenInputs(options.model.inputs, max_memory));
    ASSAY_ASSIGN_OR_RETURN(
        dims, BindDims(inputs, options.model.file, dims, max_memory));
  }
  return LoadOnnxFile(options.model.file, dims, max_memory);
}

absl::StatusOr<std::vector<ModelSource>> Models(const Options& options) {
  ModelSource source;
  source.suite = source.target = "model";
  source.flags = {{"model", options.model.file}};
  for (const auto& [name, extent] : options.model.dims) {
    source.flags.emplace_back("dim", absl::StrCat(name, "=", extent));
  }
  source.load = [options] { return Load(options); };
  return std::vector<ModelSource>{source};
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  const assay::suites::SuiteFlags flags = {
      "model",
      "Compiles the model in an ONNX file, checks its output against the "
      "reference\ninterpreter, measures it and compares the times with the "
      "baseline.",
      /*takes_model=*/true};
  return assay::suites::SuiteMain(argc, argv, flags, assay::suites::Models);
}
