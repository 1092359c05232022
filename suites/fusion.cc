// //suites:fusion: what is fusion worth on single operators?
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/suite_main.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<ModelSource>> Models(const Options& options) {
  return VariantsFromCatalog("fusion", "", options);
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  const assay::suites::SuiteFlags flags = {
      "fusion",
      "Compiles the operators of figure 4 of TVM's paper (OSDI 2018), a "
      "convolution or depthwise\nconvolution with BatchNormalization and ReLU, "
      "with and without fusion, and measures both\nin turns. The paper reports "
      "speed-ups of 1.2 to 2.",
      /*takes_model=*/false,
      /*variants=*/{"conv_bn_relu", "depthwise_bn_relu"}};
  return assay::suites::SuiteMain(argc, argv, flags, assay::suites::Models);
}
