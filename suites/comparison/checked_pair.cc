#include "suites/comparison/checked_pair.h"

#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<CheckedPair::Loaded> CheckedPair::LoadBoth(
    const PairPlacement& placement) {
  const auto load = [&](absl::Span<const runtime::Artifact* const> artifacts,
                        bool is_run) {
    runtime::LoadOptions options;
    options.placement_seed = placement.seed;
    options.deferred = true;
    if (artifacts.size() == 1) {
      std::string& digest = is_run ? run_digest_ : base_digest_;
      if (digest.empty()) digest = runtime::Digest(*artifacts[0]);
      options.artifact_digest = digest;
    }
    return options_.session->LoadForComparison(
        artifacts, is_run ? *options_.run_runner : *options_.base_runner,
        std::move(options));
  };
  return LoadInOrder<CheckedSession>(options_.base, options_.run, placement,
                                     &one_session_, load);
}

absl::Status CheckedPair::Examine(Accuracy* base, Accuracy* run) {
  ASSAY_ASSIGN_OR_RETURN(const Loaded loaded, LoadBoth({}));
  ASSAY_ASSIGN_OR_RETURN(*base, loaded.base->Examine(loaded.base_program));
  ASSAY_ASSIGN_OR_RETURN(*run, loaded.run->Examine(loaded.run_program));
  base_record_ = loaded.base->record(loaded.base_program);
  run_record_ = loaded.run->record(loaded.run_program);
  return absl::OkStatus();
}

absl::Status CheckedPair::ExamineCorrect() {
  Accuracy base, run;
  ASSAY_RETURN_IF_ERROR(Examine(&base, &run));
  for (const Accuracy& accuracy : {base, run}) {
    if (!accuracy.correct) return absl::InternalError(accuracy.problem);
  }
  return absl::OkStatus();
}

absl::Status CheckedPair::Problem() const {
  for (const std::string& problem : {base_problem(), run_problem()}) {
    if (!problem.empty()) return absl::InternalError(problem);
  }
  return absl::OkStatus();
}

absl::StatusOr<ProgramPair> CheckedPair::Load(const PairPlacement& placement) {
  ASSAY_ASSIGN_OR_RETURN(const Loaded loaded, LoadBoth(placement));
  loaded.base->Expect(loaded.base_program, base_record_);
  loaded.run->Expect(loaded.run_program, run_record_);
  ProgramPair pair;
  pair.base = {"base", loaded.base.get(), loaded.base_program};
  pair.run = {"run", loaded.run.get(), loaded.run_program, options_.extra_work};
  pair.owner = std::make_shared<const Loaded>(loaded);
  pair.inputs = loaded.base->num_timed_examples();
  // Neither program always gets its inputs first.
  pair.begin_round = [loaded, rng = Rng(placement.seed)](
                         int64_t round) mutable -> absl::Status {
    const bool run_first = rng.UniformInt(0, 1) == 1;
    CheckedSession& first = run_first ? *loaded.run : *loaded.base;
    CheckedSession& second = run_first ? *loaded.base : *loaded.run;
    ASSAY_RETURN_IF_ERROR(first.BeginRound(round));
    return second.BeginRound(round);
  };
  return pair;
}

PairLoader CheckedPair::Loader() {
  return [this](const PairPlacement& placement) { return Load(placement); };
}

}  // namespace assay::suites
