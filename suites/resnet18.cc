// //suites:resnet18: how long does ResNet-18 take, compiled by this compiler?
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/suite_main.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<ModelSource>> Models(const Options& options) {
  return std::vector<ModelSource>{
      FromCatalog("resnet18", "", "resnet18", options)};
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  const assay::suites::SuiteFlags flags = {
      "resnet18",
      "Compiles ResNet-18 (1x3x224x224, float32), checks its output against "
      "the\nreference interpreter, measures it and compares the times with the "
      "baseline.",
      /*takes_model=*/false,
      /*variants=*/{},
      /*takes_size=*/true};
  return assay::suites::SuiteMain(argc, argv, flags, assay::suites::Models);
}
