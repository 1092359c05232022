// //suites:resnet18 measures ResNet-18.
#include "suites/harness/suite_main.h"

int main(int argc, char** argv) {
  assay::suites::SuiteFlags flags;
  flags.name = "resnet18";
  flags.description =
      "Compiles ResNet-18 (1x3x224x224, float32), checks its output against "
      "the\nreference interpreter, measures it and compares the times with the "
      "baseline.";
  flags.takes_size = true;
  return assay::suites::CatalogSuiteMain(argc, argv, flags);
}
