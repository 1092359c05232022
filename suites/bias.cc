// //suites:bias: measures by how much comparisons of runtimes are wrong, by
// comparing each runtime with itself.
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_format.h"
#include "compiler/frontend/onnx/import.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/clock.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/in_process.h"
#include "suites/comparison/runtime_speed.h"
#include "suites/comparison/subject.h"
#include "suites/correctness/checked_session.h"
#include "suites/models/catalog.h"
#include "suites/references/model_reference.h"
#include "suites/sampling/idle_threads.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Compares a runtime with itself, as --reference compares two runtimes: "
    "both sides load the\nsame model independently of each other. The ratio "
    "should be 1; the bias is the difference,\nwith its 95 % interval.\n";
constexpr char kFooter[] =
    "\nExit codes: 0 all intervals lie within the limit; 1 one does not; 2 "
    "usage; 5 the machine or\na runtime failed.";

constexpr char kOurs[] = "assay";

// The libraries that are measured, by name.
using Libraries = std::map<std::string, std::unique_ptr<Reference>>;

std::vector<std::string> RuntimeNames() {
  std::vector<std::string> names = {kOurs};
  for (const char* name : ModelReferenceNames()) names.push_back(name);
  return names;
}

struct Flags {
  std::vector<std::string> runtimes = {kOurs, "onnxruntime"};
  std::vector<std::string> models = {"mobilenet_v2"};
  std::vector<int> threads = {1, 2};
  int64_t loads = 100;
  double limit_percent = 0.3;
  uint64_t seed = 0;
};

// A model with the loaders of all runtimes, for one number of threads.
class Bench {
 public:
  static absl::StatusOr<std::unique_ptr<Bench>> Create(
      const std::string& model, int threads, const Libraries* libraries) {
    auto bench = std::make_unique<Bench>();
    bench->libraries_ = libraries;
    ASSAY_ASSIGN_OR_RETURN(const onnx::ModelProto proto,
                           BuildFromCatalog(model, {}));
    bench->onnx_ = proto.SerializeAsString();
    ASSAY_ASSIGN_OR_RETURN(auto graph, frontend::ImportOnnxModel(proto));
    ASSAY_ASSIGN_OR_RETURN(bench->subject_,
                           MakeSubject(model, std::move(graph), threads));
    const Subject& subject = bench->subject_;
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                           bench->runner_.Load({&subject.artifact}, {threads}));
    bench->session_ =
        std::make_unique<CheckedSession>(std::move(session), subject.examples);
    ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy, bench->session_->Examine());
    if (!accuracy.correct) return absl::InternalError(accuracy.problem);
    return bench;
  }

  RuntimeLoader Loader(const std::string& runtime) {
    if (runtime == kOurs) {
      return OurLoader(*session_, subject_.artifact, runner_);
    }
    return [this, library = libraries_->at(runtime).get()](uint64_t) {
      return Load(*library);
    };
  }

  absl::StatusOr<RuntimeSpeed> Compare(const std::string& runtime,
                                       const Flags& flags) {
    RuntimeSpeedOptions options;
    options.loads = flags.loads;
    options.budget_s = HUGE_VAL;
    options.seed = flags.seed;
    if (subject_.threads > 1) options.settle = WaitForIdleThreads;
    return CompareRuntimes({Loader(runtime), Loader(runtime),
                            static_cast<int64_t>(subject_.examples.size())},
                           options, Clock::Monotonic());
  }

 private:
  absl::StatusOr<LoadedRuntime> Load(Reference& library) {
    ASSAY_ASSIGN_OR_RETURN(
        PreparedReference prepared,
        library.LoadModel({onnx_}, subject_.examples[0].inputs,
                          subject_.threads));
    return WithExamples(std::move(prepared.session), subject_.examples);
  }

  const Libraries* libraries_ = nullptr;
  std::string onnx_;
  Subject subject_;
  runtime::InProcessRunner runner_;
  std::unique_ptr<CheckedSession> session_;
};

// Returns e.g. `+0.12 % [-0.05, +0.20]`: how much slower the first side was.
std::string Bias(const stats::Ratio& ratio) {
  return absl::StrFormat("%+.2f %% [%+.2f, %+.2f]", 100 * (1 / ratio.value - 1),
                         100 * (1 / ratio.upper - 1),
                         100 * (1 / ratio.lower - 1));
}

bool IsWithin(const stats::Ratio& ratio, double limit_percent) {
  const double limit = std::log1p(limit_percent / 100);
  return std::abs(std::log(ratio.lower)) <= limit &&
         std::abs(std::log(ratio.upper)) <= limit;
}

absl::StatusOr<ExitCode> Run(const Flags& flags, const std::string& program) {
  Libraries libraries;
  for (const std::string& runtime : flags.runtimes) {
    if (runtime == kOurs) continue;
    ASSAY_ASSIGN_OR_RETURN(libraries[runtime],
                           LoadModelReference(program, runtime));
  }
  std::cout << absl::StrFormat("%-12s %-14s %7s %6s  %-26s %-26s\n", "runtime",
                               "model", "threads", "loads", "typical runs",
                               "fastest runs");
  bool all_within = true;
  for (const std::string& model : flags.models) {
    for (const int threads : flags.threads) {
      ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Bench> bench,
                             Bench::Create(model, threads, &libraries));
      for (const std::string& runtime : flags.runtimes) {
        ASSAY_ASSIGN_OR_RETURN(const RuntimeSpeed speed,
                               bench->Compare(runtime, flags));
        const bool within = IsWithin(speed.typical, flags.limit_percent);
        all_within = all_within && within;
        std::cout << absl::StrFormat("%-12s %-14s %7d %6d  %-26s %-26s%s\n",
                                     runtime, model, threads, speed.loads,
                                     Bias(speed.typical), Bias(speed.fastest),
                                     within ? "" : "  not within the limit")
                  << std::flush;
      }
    }
  }
  return all_within ? ExitCode::kPass : ExitCode::kRegression;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  assay::suites::Flags flags;
  CLI::App app(assay::suites::kDescription, "./bazelw run //suites:bias --");
  app.footer(assay::suites::kFooter);
  app.add_option("--runtime", flags.runtimes,
                 "assay, onnxruntime, openvino; default assay,onnxruntime")
      ->delimiter(',')
      ->check(CLI::IsMember(assay::suites::RuntimeNames()));
  app.add_option("--model", flags.models, "default mobilenet_v2")
      ->delimiter(',')
      ->check(CLI::IsMember(assay::suites::CatalogNames()));
  app.add_option("--threads", flags.threads, "default 1,2")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--loads", flags.loads, "default 100")
      ->check(CLI::Range(int64_t{6}, int64_t{100000}));
  app.add_option("--limit", flags.limit_percent,
                 "percent within which each interval of typical runs must "
                 "lie; default 0.3")
      ->check(CLI::Range(0.01, 100.0));
  app.add_option("--seed", flags.seed, "default 0");
  return assay::RunCommand(app, argc, argv,
                           [&] { return assay::suites::Run(flags, argv[0]); });
}
