// //suites:ssd measures two single-shot detectors.
#include "suites/harness/suite_main.h"

int main(int argc, char** argv) {
  assay::suites::SuiteFlags flags;
  flags.name = "ssd";
  flags.description =
      "Compiles SSD-MobileNet v1 and SSD300-VGG16 (1x3x300x300, float32) with "
      "box decoding and\nsuppression, checks their detections against the "
      "reference interpreter, measures them\nand compares the times with the "
      "baseline.";
  flags.takes_size = true;
  return assay::suites::CatalogSuiteMain(argc, argv, flags);
}
