// //suites:resnet: how long do ResNet-34 and ResNet-50 take?
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/suite_main.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<ModelSource>> Models(const Options& options) {
  return VariantsFromCatalog("resnet", "resnet", options);
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  const assay::suites::SuiteFlags flags = {
      "resnet",
      "Compiles ResNet-34 and ResNet-50 (1x3x224x224, float32), checks their "
      "outputs against\nthe reference interpreter, measures them and compares "
      "the times with the baseline.",
      /*takes_model=*/false,
      /*variants=*/{"34", "50"},
      /*takes_size=*/true};
  return assay::suites::SuiteMain(argc, argv, flags, assay::suites::Models);
}
