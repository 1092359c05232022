// SuiteFixture: RunSuite with everything around it replaced by fakes, for tests
// of what it makes of their answers.
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

// What the fakes do, and a record of what they were asked.
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
  // Of each session, over and over again.
  std::vector<double> samples = {10, 10.01, 9.99, 10, 10.02, 9.98};
  // What compiling makes, and how many times as long as `samples` each such
  // artifact takes, and of what it gives as output; once if not said.
  std::string build = "first";
  std::map<std::string, double> slowness;
  // By how much, relative, samples scatter from one to the next.
  double scatter = 0;
  std::map<std::string, float> outputs;

  std::vector<std::string> log;
};

// Two devices, `host` and the emulated `board`; a folder of baselines, empty at
// first; models of one output.
class SuiteFixture : public ::testing::Test {
 protected:
  SuiteFixture();

  // The exit code; message_, out_ and result_ have the rest.
  int Run();

  // Of a result of one row.
  stats::Verdict OnlyVerdict();

  // Stores a baseline whose samples are the script's.
  void BlessOnce();

  // A session of a runtime that does what `other_` says.
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
  // What the canary says, if there is one.
  std::optional<reports::Canary> canary_;
  // What the other runtime does.
  Script other_;
  Script script_;
  // One named `broken` cannot be loaded.
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
