// SuiteFixture: a test fixture that calls RunSuite() with fakes of all that it
// needs (SuiteRig).
#ifndef ASSAY_SUITES_HARNESS_TESTING_SUITE_FIXTURE_H_
#define ASSAY_SUITES_HARNESS_TESTING_SUITE_FIXTURE_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/file.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/run.h"
#include "suites/references/parity.h"
#include "suites/references/reference.h"

namespace assay::suites {

// The behavior of the fakes, and a log of their calls. Each field of type
// Status is the result of the step of the same name; `reference` is the result
// of the oracle.
struct Script {
  absl::Status load_model;
  absl::Status compile;
  // If true, models cannot be compiled for the device `board`.
  bool fail_on_board = false;
  absl::Status reference;
  absl::Status load;
  absl::Status evaluate;
  absl::Status measure;
  // The output of the model: `output` when the outputs are checked before the
  // measurement, `output_after` during the measurement. The correct output is
  // 1.
  float output = 1;
  float output_after = 1;
  // The output of the interpreter with rounding noise.
  float noisy_output = 1;
  // Times of the samples of each program in milliseconds, repeated cyclically.
  std::vector<double> samples = {10, 10.01, 9.99, 10, 10.02, 9.98};
  // The time of loading from the bytes of the artifact, in nanoseconds, or the
  // error of a device that does not time it.
  absl::StatusOr<int64_t> load_nanos =
      absl::UnimplementedError("loading is not timed");
  // The peak of the memory of a process that runs an artifact, or the error of
  // a device that does not tell it.
  absl::StatusOr<int64_t> peak_bytes =
      absl::UnimplementedError("the memory is not told");
  // The content of the artifacts that the fake compiler returns. Those of tuned
  // rows are followed by ` tuned`.
  std::string build = "first";
  // Where rows can be tuned: the device, its fingerprint and the number of
  // threads, such as `host x86_64-fake-2c-00000000 2`.
  std::set<std::string> tunable;
  std::string tuning_digest = "records";
  // Digest of the machine code of the kernel in these artifacts.
  std::string code_digest;
  // If not empty, programs have a setup call with this digest.
  std::string setup_digest;
  // Factors on `samples`; the key is the content of an artifact. The factor of
  // other artifacts is 1.
  std::map<std::string, double> slowness;
  // One in this number of samples of an artifact takes twice as long; the key
  // is the content of the artifact.
  std::map<std::string, size_t> hiccups;
  // Relative amplitude of a variation that is applied to `samples`.
  double scatter = 0;
  int64_t taken = 0;  // number of samples so far
  // Values that replace `output` and `output_after`; the key is the content of
  // an artifact.
  std::map<std::string, float> outputs;

  // The boards that a farm lends one after the other, and the factors of their
  // times. If there are none, devices are not lent by a farm.
  std::vector<std::string> boards;
  std::map<std::string, double> board_slowness;
  // The blocks, counted from 1, in which the board is lost: its sessions then
  // return Aborted, and the next board is lent.
  std::set<int> lost_blocks;
  int blocks = 0;   // number of blocks so far
  size_t lost = 0;  // number of boards that were lost
  // Entries of DeviceFacts::state of the boards after the first.
  std::map<std::string, std::string> later_state;

  // Returns the board that is lent now, or an empty string.
  std::string Board() const {
    return boards.empty() ? "" : boards.at(lost % boards.size());
  }

  // Returns an error for inputs that the oracle and the sessions refuse. May be
  // null.
  std::function<absl::Status(const runtime::NamedTensors& inputs)> refuse;
  // Arguments of the calls of SetInputs().
  std::vector<runtime::NamedTensors> inputs;

  std::vector<std::string> log;
};

// Provides models (each model has one output) and a folder of baselines, which
// is initially empty. Also provides two devices: `host`, and `board`, which is
// emulated.
class SuiteFixture : public ::testing::Test {
 protected:
  SuiteFixture();
  ~SuiteFixture() override;

  // Runs the suite, sets message_, out_ and result_, and returns the exit code.
  int Run();

  // Returns the verdict of the only row of result_.
  stats::Verdict OnlyVerdict();

  // Stores a baseline with the samples of script_.
  void BlessOnce();

  // Makes a reference runtime available that behaves as `other_` specifies.
  void AddOtherRuntime();

  TempDir dir_;
  std::string devices_;
  std::string baselines_;
  std::string artifacts_;
  std::string started_at_ = "2024-05-01T12:00:00Z";
  std::string command_ = "command";
  reports::Environment environment_;
  Options options_;
  // False if the device `board` is lent by a farm and is not emulated.
  bool lent_emulated_ = true;
  std::string device_notes_;
  // Result of the fake canary. If it is not set, there is no canary.
  std::optional<reports::Canary> canary_;
  // Called instead of the fake canary, unless it is null. Thread-safe.
  std::function<reports::Canary(const CanaryMode& mode)> canary_on_;
  // Returned by the fake host: what disturbs the samples, and the runner of
  // processes, which is a fake like the others if this is null.
  std::vector<std::string> disturbances_;
  std::function<absl::StatusOr<std::unique_ptr<runtime::Runner>>()>
      process_runner_;
  // Opens the devices instead of the fake, unless it is null. The fake cannot
  // be used by several threads.
  DeviceSource* source_ = nullptr;
  std::ostream* terminal_ = nullptr;  // receives the progress
  // The behavior of the reference runtime of AddOtherRuntime().
  Script other_;
  // Its output with ByteProducts::kDefault, if it differs.
  std::optional<float> other_default_output_;
  Affinity other_affinity_ = Affinity::kPinned;
  bool other_splits_floats_ = false;
  Script script_;
  // Model::has_inexact_products of all models.
  bool has_inexact_products_ = false;
  // The text form of the graph of all models. Its only output must be `y`,
  // float32[1], and is not exact (suites/correctness/rounding.h).
  std::string graph_ =
      "graph net(%x: float32[1]) -> (y=%1) {\n"
      "  %1: float32[1] = sigmoid(%x)\n}";
  // Names of the models; a model named `broken` cannot be loaded.
  // If true, models have names before they are loaded (ModelSource::name).
  bool names_are_known_ = false;
  std::vector<std::string> models_ = {"net"};

  std::string message_;
  std::string out_;
  reports::RunResult result_;

 private:
  class Devices;
  class FakeHost;
  class Other;

  runtime::DeviceFacts Facts() const;
  absl::StatusOr<Model> LoadModel(const std::string& name);
  std::vector<ModelSource> Sources();

  std::unique_ptr<Reference> other_runtime_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_TESTING_SUITE_FIXTURE_H_
