// //suites:model measures any ONNX file, like //suites:resnet18.
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "suites/correctness/onnx_model.h"
#include "suites/harness/suite_main.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<ModelSource>> Models(const Options& options) {
  ModelSource source;
  source.suite = source.target = "model";
  source.flags = {{"model", options.model.file}};
  for (const auto& [name, extent] : options.model.dims) {
    source.flags.emplace_back("dim", absl::StrCat(name, "=", extent));
  }
  source.load = [options] {
    return LoadOnnxFile(options.model.file, options.model.dims,
                        options.compile.max_memory);
  };
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
