#include "suites/comparison/checked_pair.h"

#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<CheckedPair::Loaded> CheckedPair::LoadBoth(
    const PairPlacement& placement) {
  Loaded loaded;
  if (shares_memory_ && !one_session_) {
    ASSAY_ASSIGN_OR_RETURN(TempDir memory,
                           TempDir::CreateInMemory("assay_pair"));
    loaded.memory = std::make_shared<const TempDir>(std::move(memory));
  }
  const auto load = [&](absl::Span<const runtime::Artifact* const> artifacts,
                        bool is_run) {
    runtime::LoadOptions options;
    options.placement_seed = placement.seed;
    options.deferred = true;
    if (artifacts.size() == 1) {
      std::string& digest = is_run ? run_digest_ : base_digest_;
      if (digest.empty()) digest = runtime::Digest(*artifacts[0]);
      options.artifact_digest = digest;
      if (loaded.memory != nullptr) {
        options.shared_memory = JoinPath(loaded.memory->path(), "memory");
      }
    }
    return options_.session->LoadForComparison(
        artifacts, is_run ? *options_.run_runner : *options_.base_runner,
        std::move(options));
  };
  LoadedPair<CheckedSession>& pair = loaded;
  ASSAY_ASSIGN_OR_RETURN(
      pair, LoadInOrder<CheckedSession>(options_.base, options_.run, placement,
                                        &one_session_, load));
  return loaded;
}

absl::Status CheckedPair::Examine(Accuracy* base, Accuracy* run) {
  ASSAY_ASSIGN_OR_RETURN(const Loaded loaded, LoadBoth({}));
  ASSAY_ASSIGN_OR_RETURN(*base, loaded.base->Examine(loaded.base_program));
  ASSAY_ASSIGN_OR_RETURN(*run, loaded.run->Examine(loaded.run_program));
  base_record_ = loaded.base->record(loaded.base_program);
  run_record_ = loaded.run->record(loaded.run_program);
  if (one_session_ || !base->correct || !run->correct) return absl::OkStatus();
  return TrySharing();
}

// Sets shares_memory_. If one of the programs overwrites what the other one
// needs, an output is wrong.
absl::Status CheckedPair::TrySharing() {
  if (!options_.base_runner->SharesMemory() ||
      !options_.run_runner->SharesMemory()) {
    return absl::OkStatus();
  }
  shares_memory_ = true;
  runtime::Block block;
  block.samples = {{/*program=*/0, /*number=*/1}};
  ASSAY_ASSIGN_OR_RETURN(const ProgramPair pair, Load({/*seed=*/1}));
  for (int64_t round = 0; round < pair.inputs; ++round) {
    ASSAY_RETURN_IF_ERROR(pair.begin_round(round));
    for (runtime::Session* session :
         {pair.base.session, pair.run.session, pair.base.session}) {
      ASSAY_RETURN_IF_ERROR(session->RunBlock(block).status());
    }
  }
  if (Problem().ok()) return absl::OkStatus();
  shares_memory_ = false;
  base_record_->problem.clear();
  run_record_->problem.clear();
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
  pair.processes = one_session_ ? 1 : 2;
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
