// SuiteMain: the main() of every suite.
//
//   int main(int argc, char** argv) {
//     return assay::suites::SuiteMain(argc, argv, flags, MyModels);
//   }
#ifndef ASSAY_SUITES_HARNESS_SUITE_MAIN_H_
#define ASSAY_SUITES_HARNESS_SUITE_MAIN_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/services.h"

namespace assay::suites {

// Reads the flags, runs the suite with the real compiler, oracle and runners,
// and returns the exit code. The table goes to standard output; errors, one
// sentence each, and progress to standard error.
int SuiteMain(int argc, char** argv, const SuiteFlags& suite,
              const std::function<absl::StatusOr<std::vector<ModelSource>>(
                  const Options&)>& models);

// The same for a suite that measures the models of the catalog
// (suites/models/catalog.h) which name it. The variants come from there.
int CatalogSuiteMain(int argc, char** argv, SuiteFlags suite);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SUITE_MAIN_H_
