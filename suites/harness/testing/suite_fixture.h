// SuiteFixture: a test fixture that runs RunSuite with fakes of all services.
#ifndef ASSAY_SUITES_HARNESS_TESTING_SUITE_FIXTURE_H_
#define ASSAY_SUITES_HARNESS_TESTING_SUITE_FIXTURE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "reports/result/run_result.h"
#include "runtime/base/file.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/run.h"
#include "suites/harness/services.h"

namespace assay::suites {

// The behavior of the fakes, and a log of their calls.
struct Script {
  absl::Status load_model;
  absl::Status compile;
  bool fail_on_board = false;
  absl::Status reference;
  absl::Status load;
  absl::Status evaluate;
  absl::Status measure;
  float output = 1;
  float output_after = 1;
  // Sample times of each session in milliseconds, repeated cyclically.
  std::vector<double> samples = {10, 10.01, 9.99, 10, 10.02, 9.98};
  // The content of compiled artifacts, and by content the factor on `samples`
  // (default 1). `outputs` below overrides `output` by content.
  std::string build = "first";
  std::map<std::string, double> slowness;
  // Relative variation between samples.
  double scatter = 0;
  std::map<std::string, float> outputs;

  std::vector<std::string> log;
};

// Provides two devices, `host` and the emulated `board`, a folder of baselines,
// which is initially empty, and models with one output.
class SuiteFixture : public ::testing::Test {
 protected:
  SuiteFixture();

  // Runs the suite, sets message_, out_ and result_, and returns the exit code.
  int Run();

  // Returns the verdict of the only row of result_.
  stats::Verdict OnlyVerdict();

  // Stores a baseline with the samples of script_.
  void BlessOnce();

  // Returns a reference runtime that behaves as `other_` specifies.
  ReferenceRuntime OtherRuntime();

  TempDir dir_;
  std::string devices_;
  std::string baselines_;
  std::string artifacts_;
  std::string started_at_ = "2024-05-01T12:00:00Z";
  std::string command_ = "command";
  reports::Environment environment_;
  Options options_;
  absl::StatusOr<ReferenceRuntime> reference_ =
      absl::NotFoundError("it could not be fetched");
  // Result of the canary, if there is one.
  std::optional<reports::Canary> canary_;
  // The behavior of the reference runtime.
  Script other_;
  Script script_;
  // Names of the models; a model named `broken` cannot be loaded.
  std::vector<std::string> models_ = {"net"};

  std::string message_;
  std::string out_;
  reports::RunResult result_;

 private:
  absl::StatusOr<Model> LoadModel(const std::string& name);
  std::vector<ModelSource> Sources();
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_TESTING_SUITE_FIXTURE_H_
