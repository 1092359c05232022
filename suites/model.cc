// //suites:model: the same questions as //suites:resnet18, of any ONNX file.
#include "absl/status/statusor.h"
#include "suites/harness/onnx_model.h"
#include "suites/harness/suite_main.h"

namespace assay::suites {
namespace {

absl::StatusOr<Model> LoadModel(const Options& options) {
  return LoadOnnxFile(options.model, options.dims);
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
  return assay::suites::SuiteMain(argc, argv, flags, assay::suites::LoadModel);
}
