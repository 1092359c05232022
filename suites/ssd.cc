// //suites:ssd: how long do two single-shot detectors take?
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/suite_main.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<ModelSource>> Models(const Options& options) {
  return VariantsFromCatalog("ssd", "ssd_", options);
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  const assay::suites::SuiteFlags flags = {
      "ssd",
      "Compiles SSD-MobileNet v1 and SSD300-VGG16 (1x3x300x300, float32) with "
      "box decoding and\nsuppression, checks their detections against the "
      "reference interpreter, measures them\nand compares the times with the "
      "baseline.",
      /*takes_model=*/false,
      /*variants=*/{"mobilenet_v1", "vgg16"},
      /*takes_size=*/true};
  return assay::suites::SuiteMain(argc, argv, flags, assay::suites::Models);
}
