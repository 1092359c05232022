// SuiteMain: implements the main() function of a suite.
//
//   int main(int argc, char** argv) {
//     return assay::suites::SuiteMain(argc, argv, flags, MyModels);
//   }
#ifndef ASSAY_SUITES_HARNESS_SUITE_MAIN_H_
#define ASSAY_SUITES_HARNESS_SUITE_MAIN_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/flags/options.h"

namespace assay::suites {

// Parses the flags, runs the suite with the real compiler, oracle and runners,
// and returns the exit code. `models` returns the models that the flags select.
// The report is written to standard output. Progress and errors are written to
// standard error; an error is one sentence.
int SuiteMain(int argc, char** argv, const SuiteFlags& suite,
              const std::function<absl::StatusOr<std::vector<ModelSource>>(
                  const Options&)>& models);

// Calls SuiteMain() with the models of the catalog (suites/models/catalog.h)
// whose entries name the suite `suite.name`. The catalog also determines
// `suite.variants`.
int CatalogSuiteMain(int argc, char** argv, SuiteFlags suite);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SUITE_MAIN_H_
