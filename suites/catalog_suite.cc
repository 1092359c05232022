// The program of a suite that measures models of the catalog. It is the
// template of the rule in catalog_suite.bzl, which replaces the words in
// capital letters.
#include "suites/harness/suite_main.h"

int main(int argc, char** argv) {
  assay::suites::SuiteFlags flags;
  flags.name = "SUITE_NAME";
  flags.description = "SUITE_DESCRIPTION";
  flags.takes_size = SUITE_TAKES_SIZE;
  return assay::suites::CatalogSuiteMain(argc, argv, flags);
}
