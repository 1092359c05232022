// //suites:fusion measures the speed-up by operator fusion on single operators.
#include "suites/harness/suite_main.h"

int main(int argc, char** argv) {
  assay::suites::SuiteFlags flags;
  flags.name = "fusion";
  flags.description =
      "Compiles the operators of figure 4 of TVM's paper (OSDI 2018), a "
      "convolution or depthwise\nconvolution with BatchNormalization and ReLU, "
      "with and without fusion, and measures both\nin turns. The paper reports "
      "speed-ups of 1.2 to 2.";
  return assay::suites::CatalogSuiteMain(argc, argv, flags);
}
