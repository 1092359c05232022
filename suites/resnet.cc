// //suites:resnet measures ResNet-34 and ResNet-50.
#include "suites/harness/suite_main.h"

int main(int argc, char** argv) {
  assay::suites::SuiteFlags flags;
  flags.name = "resnet";
  flags.description =
      "Compiles ResNet-34 and ResNet-50 (1x3x224x224, float32), checks their "
      "outputs against\nthe reference interpreter, measures them and compares "
      "the times with the baseline.";
  flags.takes_size = true;
  return assay::suites::CatalogSuiteMain(argc, argv, flags);
}
