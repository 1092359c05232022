// InjectionBench: runs the suites of injections (injection.h) as processes. All
// injections with the same suite and number of threads share one base.
#ifndef ASSAY_SUITES_INJECTED_INJECTION_BENCH_H_
#define ASSAY_SUITES_INJECTED_INJECTION_BENCH_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "suites/injected/injection.h"

namespace assay::suites {

struct InjectionBenchOptions {
  // Returns the path of the program of a suite, given its name.
  std::function<absl::StatusOr<std::string>(const std::string& suite)> find;
  // Existing folder, in which each run of a suite has a folder for its results.
  std::string folder;
  double budget_s = 30;
};

class InjectionBench {
 public:
  explicit InjectionBench(InjectionBenchOptions options)
      : options_(std::move(options)) {}

  // Measures the base if it was not measured before, runs the suite with the
  // flags of the injection, and sets the results. Returns an error if a suite
  // cannot run or the run of a base does not succeed.
  absl::Status Run(Injection* injection);

 private:
  absl::StatusOr<std::string> BaseOf(const Injection& injection);
  absl::StatusOr<int> RunSuite(const Injection& injection,
                               const std::string& folder,
                               const std::vector<std::string>& flags) const;

  const InjectionBenchOptions options_;
  int64_t runs_ = 0;  // number of calls of Run()
  // The folders of the bases, by suite and number of threads.
  std::map<std::pair<std::string, int>, std::string> bases_;
};

// Sets the results of `injection`, except `seconds`, to those of a run of the
// suite with this row and exit code.
void SetResults(const reports::Row& row, int exit_code, Injection* injection);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_INJECTED_INJECTION_BENCH_H_
