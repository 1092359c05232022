#include "suites/trials/bench.h"

#include <algorithm>
#include <memory>

#include "absl/algorithm/container.h"
#include "compiler/frontend/onnx/import.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/checked_pair.h"
#include "suites/comparison/twin.h"
#include "suites/models/catalog.h"
#include "suites/sampling/profile.h"

namespace assay::suites {
namespace {

constexpr const char* kNetworks[] = {"mobilenet_v2", "resnet18"};
// With extra runs of a kernel, the number of runs is a multiple of this, so
// that the number of extra runs is an integer.
constexpr int64_t kNumberMultiple = 50;
constexpr int kProfiledRuns = 21;

bool IsNetwork(const std::string& name) {
  return absl::c_linear_search(kNetworks, name);
}

// Returns true if a twin is slower because it runs more often, not because it
// makes more calls: if there is one call only.
bool SlowsByRuns(const runtime::Artifact& artifact) {
  return artifact.calls.size() == 1;
}

absl::StatusOr<Subject> MakeNetworkSubject(const std::string& name, int threads,
                                           const std::string& target) {
  ASSAY_ASSIGN_OR_RETURN(const onnx::ModelProto model,
                         BuildFromCatalog(name, {}));
  ASSAY_ASSIGN_OR_RETURN(auto graph, frontend::ImportOnnxModel(model));
  return MakeSubject(name, std::move(graph), threads, target);
}

}  // namespace

std::vector<std::string> CalibrationSubjects() {
  std::vector<std::string> names = KernelSubjects();
  names.insert(names.end(), std::begin(kNetworks), std::end(kNetworks));
  return names;
}

absl::StatusOr<CalibrationBench::Prepared*> CalibrationBench::Prepare(
    const std::string& name, int threads) {
  const auto found = prepared_.find({name, threads});
  if (found != prepared_.end()) return &found->second;
  Prepared prepared;
  ASSAY_ASSIGN_OR_RETURN(prepared.subject,
                         IsNetwork(name)
                             ? MakeNetworkSubject(name, threads, target_)
                             : MakeKernelSubject(name, threads, target_));
  const runtime::Artifact& artifact = prepared.subject.artifact;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         one_process_->Load({&artifact}, {threads}));
  ASSAY_RETURN_IF_ERROR(
      session->SetInputs(prepared.subject.examples[0].inputs));
  ASSAY_ASSIGN_OR_RETURN(Profile profile,
                         ProfileCalls(*session, kProfiledRuns));
  prepared.call_ns = std::move(profile.call_ns);
  Prepared& kept = prepared_[{name, threads}] = std::move(prepared);
  kept.session = std::make_unique<CheckedSession>(std::move(session),
                                                  kept.subject.examples);
  return &kept;
}

absl::StatusOr<runtime::Artifact> CalibrationBench::TwinOf(Prepared* prepared,
                                                           const Trial& trial) {
  std::string& code = prepared->codes[trial.layout];
  runtime::Artifact changed = prepared->subject.artifact;
  if (code.empty()) {
    ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact compiled,
                           CompileLayout(prepared->subject, trial.layout));
    code = compiled.code;
  }
  changed.code = code;
  if (trial.share > 0 && !SlowsByRuns(changed)) {
    ASSAY_ASSIGN_OR_RETURN(
        changed, AddCalls(changed, prepared->call_ns, trial.share, trial.seed));
  }
  return MakeTwin(changed, trial.layout);
}

absl::Status CalibrationBench::Run(const CalibrationOptions& options,
                                   Trial* trial) {
  ASSAY_ASSIGN_OR_RETURN(Prepared* const prepared,
                         Prepare(trial->subject, trial->threads));
  ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact twin,
                         TwinOf(prepared, *trial));
  runtime::Runner* const runner =
      trial->processes == 2 ? two_processes_ : one_process_;
  const bool extra_runs =
      trial->share > 0 && SlowsByRuns(prepared->subject.artifact);
  CheckedPair pair({&prepared->subject.artifact, &twin, prepared->session.get(),
                    runner, runner, extra_runs ? trial->share : 0});
  ASSAY_RETURN_IF_ERROR(pair.ExamineCorrect());
  ASSAY_RETURN_IF_ERROR(RunTrial(pair.Loader(),
                                 extra_runs ? kNumberMultiple : 1, options,
                                 Clock::Monotonic(), trial));
  return pair.Problem();
}

}  // namespace assay::suites
