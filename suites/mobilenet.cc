// //suites:mobilenet measures MobileNet v1 and v2.
#include "suites/harness/suite_main.h"

int main(int argc, char** argv) {
  assay::suites::SuiteFlags flags;
  flags.name = "mobilenet";
  flags.description =
      "Compiles MobileNet v1 and v2 (1.0, 1x3x224x224, float32), checks their "
      "outputs against\nthe reference interpreter, measures them and compares "
      "the times with the baseline.";
  flags.takes_size = true;
  return assay::suites::CatalogSuiteMain(argc, argv, flags);
}
