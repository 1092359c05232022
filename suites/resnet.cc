// //suites:resnet: how long do ResNet-34 and ResNet-50 take?
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/suite_main.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<ModelSource>> Models(const Options& options) {
  std::vector<ModelSource> models;
  for (const std::string& variant : options.variants) {
    models.push_back(FromCatalog("resnet", variant,
                                 absl::StrCat("resnet", variant), options));
  }
  return models;
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
