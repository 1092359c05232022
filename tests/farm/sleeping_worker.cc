// A worker that sleeps instead of computing, for tests of farms with more
// devices than this machine has processors.
//
//   sleeping_worker --slowdown=1.3 --steps --artifact=FILE --threads=1
//
// It takes the flags of `bench_artifact --steps` and answers the same requests.
// A run takes as many nanoseconds as the metadata `sleeping.nanos` of the
// artifact says, times `--slowdown`, the speed of this device. With
// `--throttle=F`, it takes F times as long in every other period of 700 ms, as
// on a board that gets hot. Up to 3 % of random noise are added. The output `y`
// is `sleeping.nanos`, so that the outputs of two programs can be told apart.
#include <cstdint>
#include <iostream>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/loop_session.h"
#include "runtime/tools/bench_flags.h"
#include "runtime/tools/bench_steps.h"

namespace assay::runtime {
namespace {

constexpr int64_t kPeriodNanos = 700'000'000;

class SleepingSession : public LoopSession {
 public:
  SleepingSession(std::vector<int64_t> nanos, double slowdown, double throttle)
      : nanos_(std::move(nanos)),
        slowdown_(slowdown),
        throttle_(throttle),
        rng_(static_cast<uint64_t>(MonotonicNanos())) {}

  int threads() const override { return 1; }
  absl::Status SetInputs(const NamedTensors&) override {
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool /*poison_outputs*/) override {
    const double noise = 1 + 0.03 * rng_.UniformFloat(0, 1);
    const bool is_hot = MonotonicNanos() / kPeriodNanos % 2 == 1;
    const auto nanos =
        static_cast<int64_t>(static_cast<double>(nanos_.at(program) * number) *
                             slowdown_ * (is_hot ? throttle_ : 1) * noise);
    Clock::Monotonic()->SleepNanos(nanos);
    return nanos;
  }
  absl::StatusOr<NamedTensors> Outputs(int program) override {
    return NamedTensors{
        {"y", NDArray::FromVector<int64_t>({1}, {nanos_.at(program)})}};
  }
  absl::Status FlushCaches(int64_t) override { return absl::OkStatus(); }

  const std::vector<int64_t> nanos_;  // of one run of each program
  const double slowdown_;
  const double throttle_;
  Rng rng_;
};

absl::StatusOr<int64_t> NanosOf(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const Artifact artifact, ReadArtifact(path));
  const auto found = artifact.metadata.find("sleeping.nanos");
  int64_t nanos = 0;
  if (found == artifact.metadata.end() ||
      !absl::SimpleAtoi(found->second, &nanos) || nanos < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "` has no valid `sleeping.nanos`"));
  }
  return nanos;
}

absl::StatusOr<ExitCode> Serve(int argc, char** argv) {
  double slowdown = 1;
  double throttle = 1;
  std::vector<const char*> rest;
  for (int i = 0; i < argc; ++i) {
    absl::string_view value = argv[i];
    double* factor = nullptr;
    if (absl::ConsumePrefix(&value, "--slowdown=")) factor = &slowdown;
    if (absl::ConsumePrefix(&value, "--throttle=")) factor = &throttle;
    if (factor == nullptr) {
      rest.push_back(argv[i]);
    } else if (!absl::SimpleAtod(value, factor) || !(*factor > 0)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", argv[i], "` is not a positive factor"));
    }
  }
  const auto flags =
      ParseBenchFlags(static_cast<int>(rest.size()), rest.data());
  if (const auto* end = std::get_if<FlagsExit>(&flags)) {
    std::cerr << end->text;
    return static_cast<ExitCode>(end->code);
  }
  const BenchFlags& bench = std::get<BenchFlags>(flags);
  std::vector<int64_t> nanos;
  for (const std::string& path : bench.artifacts) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t of_path, NanosOf(path));
    nanos.push_back(of_path);
  }
  SleepingSession session(nanos, slowdown, throttle);
  ServeSteps(session, static_cast<int>(nanos.size()), std::cin, std::cout,
             {bench.steps});
  return ExitCode::kPass;
}

}  // namespace
}  // namespace assay::runtime

int main(int argc, char** argv) {
  return assay::ReportExitCode(assay::runtime::Serve(argc, argv));
}
