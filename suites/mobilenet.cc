// //suites:mobilenet: how long do MobileNet v1 and v2 take?
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/suite_main.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<ModelSource>> Models(const Options& options) {
  return VariantsFromCatalog("mobilenet", "mobilenet_", options);
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  const assay::suites::SuiteFlags flags = {
      "mobilenet",
      "Compiles MobileNet v1 and v2 (1.0, 1x3x224x224, float32), checks their "
      "outputs against\nthe reference interpreter, measures them and compares "
      "the times with the baseline.",
      /*takes_model=*/false,
      /*variants=*/{"v1", "v2"},
      /*takes_size=*/true};
  return assay::suites::SuiteMain(argc, argv, flags, assay::suites::Models);
}
