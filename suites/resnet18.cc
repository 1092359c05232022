// //suites:resnet18: how long does ResNet-18 take, compiled by this compiler?
#include <string>

#include "absl/status/statusor.h"
#include "suites/harness/onnx_model.h"
#include "suites/harness/suite_main.h"
#include "suites/models/model_file.h"
#include "suites/models/resnet.h"

namespace assay::suites {
namespace {

// By way of the bytes of an ONNX file, as it would be for anybody's model.
absl::StatusOr<Model> LoadResNet18(const Options&) {
  return LoadOnnxBytes("resnet18", SerializeModel(BuildResNet(ResNetOptions())),
                       /*dims=*/{});
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  const assay::suites::SuiteFlags flags = {
      "resnet18",
      "Compiles ResNet-18 (1x3x224x224, float32), checks its output against "
      "the\nreference interpreter, measures it and compares the times with the "
      "baseline.",
      /*takes_model=*/false};
  return assay::suites::SuiteMain(argc, argv, flags,
                                  assay::suites::LoadResNet18);
}
