#include "suites/harness/cell_timer.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "reports/stats/ratio.h"
#include "reports/stats/summary.h"
#include "runtime/abi/abi.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/run_trace.h"
#include "suites/harness/block_log.h"
#include "suites/harness/reference_comparison.h"
#include "suites/harness/row_outcome.h"
#include "suites/sampling/profile.h"
#include "suites/sampling/sampler.h"
#include "suites/trace/trace_file.h"

namespace assay::suites {
namespace {

constexpr int64_t kNanosPerMilli = 1'000'000;

// A device of a farm loads a cell again when it is its turn. With few turns,
// this takes little time, and slow changes of the device still affect all cells
// equally.
constexpr int kTurns = 4;

// Rows of the summary of a trace.
constexpr int kSummaryKernels = 5;

SamplingOptions SamplingFor(const devices::TimingPolicy& timing,
                            uint64_t seed) {
  SamplingOptions sampling;
  sampling.number = timing.number();
  sampling.min_sample_nanos = timing.min_repeat_ms() * kNanosPerMilli;
  sampling.cooldown_nanos = timing.cooldown_ms() * kNanosPerMilli;
  sampling.min_number_for_warmup = 1;
  sampling.first_warmup_runs = timing.warmup();
  sampling.seed = seed;
  return sampling;
}

// A block of two samples like those of the timed rounds. The second one follows
// a sample of the same inputs, as the first one follows a run of others.
runtime::Block ControlFor(const devices::TimingPolicy& timing) {
  const SamplingOptions sampling = SamplingFor(timing, /*seed=*/0);
  runtime::Block block;
  const runtime::SampleSpec sample = UsualSample(sampling, sampling.number);
  block.samples = {sample, sample};
  block.min_sample_nanos = sampling.min_sample_nanos;
  block.cooldown_nanos = sampling.cooldown_nanos;
  return block;
}

// Times a program under emulation. Runs are slow, so the checked run is used as
// the first sample, unless samples differ from single runs.
absl::Status TimeEmulated(const devices::TimingPolicy& timing, Cell* cell) {
  std::vector<double>& samples_ns = cell->row.timing.samples_ns;
  if (timing.number() <= 1 && timing.warmup() == 0 &&
      timing.min_repeat_ms() == 0) {
    samples_ns.push_back(cell->session->examined_ns());
  }
  runtime::Block block;
  for (int i = static_cast<int>(samples_ns.size()); i < timing.repeat(); ++i) {
    block.samples.push_back(
        {/*program=*/0, timing.number(), i == 0 ? timing.warmup() : 0});
  }
  if (block.samples.empty()) return absl::OkStatus();
  block.min_sample_nanos = timing.min_repeat_ms() * kNanosPerMilli;
  block.cooldown_nanos = timing.cooldown_ms() * kNanosPerMilli;
  ASSAY_RETURN_IF_ERROR(cell->session->BeginRound(0));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<runtime::Sample> samples,
                         cell->session->RunBlock(block));
  for (const runtime::Sample& sample : samples) {
    samples_ns.push_back(sample.NanosPerRun());
  }
  return absl::OkStatus();
}

// Sets the time of loading, if the device has timed it.
absl::Status NoteLoading(Cell* cell) {
  const absl::StatusOr<int64_t> nanos = cell->session->LoadNanos();
  if (absl::IsUnimplemented(nanos.status())) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(nanos.status());
  cell->row.timing.load_ms = static_cast<double>(*nanos) / 1e6;
  return absl::OkStatus();
}

// Returns how many times as fast the row is as the row of another variant, if
// both were timed.
std::optional<stats::Ratio> SpeedupOver(const reports::Variant& variant,
                                        const std::vector<Cell*>& cells,
                                        const reports::Row& row) {
  for (const Cell* other : cells) {
    const std::vector<double>& samples_ns = other->row.timing.samples_ns;
    if (!(other->row.cell.variant == variant) || samples_ns.empty()) continue;
    return stats::SpeedRatio(row.timing.samples_ns, samples_ns);
  }
  return std::nullopt;
}

// Sets the speed-ups by fusion and by tuning.
void CompareVariants(const std::vector<Cell*>& cells) {
  for (Cell* cell : cells) {
    reports::Row& row = cell->row;
    if (row.timing.samples_ns.empty() || row.emulated) continue;
    reports::Variant variant = row.cell.variant;
    if (variant.fusion) {
      variant.fusion = false;
      row.comparison.speedup_vs_unfused = SpeedupOver(variant, cells, row);
    }
    variant = row.cell.variant;
    if (variant.tuned) {
      variant.tuned = false;
      row.comparison.speedup_vs_untuned = SpeedupOver(variant, cells, row);
    }
  }
}

}  // namespace

absl::Status CellTimer::Time(const DevicePlan& plan,
                             const ModelAnswers& answers, const Done& done,
                             Attempt* attempt) const {
  std::vector<Cell*> sound;
  for (Cell& cell : attempt->cells) {
    if (cell.session != nullptr) sound.push_back(&cell);
  }
  if (!sound.empty()) {
    services_.progress->Step("measuring");
    const absl::Status status = TakeSamples(plan, answers.TimedFor(plan.device),
                                            sound, &attempt->remarks);
    for (Cell* cell : sound) {
      if (status.ok()) {
        Verify(plan, answers.LateFor(plan.device), cell);
      } else {
        FailCell(status, cell);
      }
    }
    CompareVariants(sound);
  }
  for (size_t i = 0; i < attempt->cells.size(); ++i) {
    Cell* const cell = &attempt->cells[i];
    if (cell->session != nullptr && !cell->row.timing.samples_ns.empty()) {
      Finish(plan, answers, cell, attempt);
    }
    if (done != nullptr) ASSAY_RETURN_IF_ERROR(done(i));
  }
  return absl::OkStatus();
}

absl::Status CellTimer::TakeSamples(const DevicePlan& plan,
                                    absl::Span<const Example> examples,
                                    const std::vector<Cell*>& cells,
                                    Remarks* remarks) const {
  const devices::TimingPolicy timing = TimingFor(options_.timing, plan.device);
  if (cells[0]->row.emulated) {
    for (Cell* cell : cells) {
      plan.blocks->Take();
      ASSAY_RETURN_IF_ERROR(TimeEmulated(timing, cell));
      cell->row.timing.blocks = plan.blocks->Take();
    }
  } else if (plan.leased()) {
    ASSAY_RETURN_IF_ERROR(TimeInTurns(plan, timing, cells));
  } else {
    std::function<std::vector<std::string>()> disturbances;
    if (services_.tools.observe_machine != nullptr &&
        plan.device.has_in_process()) {
      disturbances =
          services_.tools.observe_machine(cells[0]->row.cell.threads);
    }
    ASSAY_RETURN_IF_ERROR(TimeTogether(timing, cells));
    if (disturbances != nullptr) {
      cells[0]->row.timing.disturbances = disturbances();
    }
    for (Cell* cell : cells) {
      cell->row.timing.disturbances = cells[0]->row.timing.disturbances;
    }
  }
  if (options_.comparison.reference.empty()) return absl::OkStatus();
  services_.progress->Step(
      absl::StrCat("comparing with ", options_.comparison.reference));
  for (Cell* cell : cells) {
    ASSAY_RETURN_IF_ERROR(CompareWithReference(options_, services_, model_,
                                               plan, examples, cell, remarks));
  }
  return absl::OkStatus();
}

absl::Status CellTimer::TimeTogether(const devices::TimingPolicy& timing,
                                     const std::vector<Cell*>& cells) const {
  SamplingOptions sampling = SamplingFor(timing, options_.timing.seed);
  sampling.begin_round = [&](int64_t round) -> absl::Status {
    for (const Cell* cell : cells) {
      ASSAY_RETURN_IF_ERROR(cell->session->BeginRound(round));
    }
    return absl::OkStatus();
  };
  std::vector<Contender> contenders;
  for (const Cell* cell : cells) {
    contenders.push_back({cell->name, cell->session.get()});
  }
  Sampler sampler(std::move(contenders), std::move(sampling),
                  Clock::Monotonic());
  ASSAY_RETURN_IF_ERROR(sampler.RunRounds(timing.repeat()));
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i]->row.timing.samples_ns = sampler.samples_ns(static_cast<int>(i));
  }
  return absl::OkStatus();
}

absl::Status CellTimer::TimeInTurns(const DevicePlan& plan,
                                    const devices::TimingPolicy& timing,
                                    const std::vector<Cell*>& cells) const {
  std::vector<Sampler> samplers;
  samplers.reserve(cells.size());
  for (const Cell* cell : cells) {
    SamplingOptions sampling = SamplingFor(timing, options_.timing.seed);
    sampling.begin_round = [session = cell->session.get()](int64_t round) {
      return session->BeginRound(round);
    };
    samplers.emplace_back(
        std::vector<Contender>{{cell->name, cell->session.get()}},
        std::move(sampling), Clock::Monotonic());
  }
  for (int turn = 1; turn <= kTurns; ++turn) {
    for (size_t i = 0; i < samplers.size(); ++i) {
      // The order is reversed from turn to turn, as in A B, B A.
      const size_t next = turn % 2 == 1 ? i : samplers.size() - 1 - i;
      plan.blocks->Take();
      ASSAY_RETURN_IF_ERROR(
          samplers[next].RunRounds(int64_t{timing.repeat()} * turn / kTurns));
      Append(plan.blocks->Take(), &cells[next]->row.timing.blocks);
    }
  }
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i]->row.timing.samples_ns = samplers[i].samples_ns(0);
  }
  return absl::OkStatus();
}

// Checks what was measured, before the row is judged.
void CellTimer::Verify(const DevicePlan& plan, const HoldOutExamples& late,
                       Cell* cell) const {
  reports::Row& row = cell->row;
  if (row.timing.samples_ns.empty()) {
    return FailCell(absl::InternalError("the device returned no samples"),
                    cell);
  }
  if (!cell->session->problem().empty()) {
    return MarkWrongOutput(cell->session->problem(), &row);
  }
  const absl::Status noted = NoteLoading(cell);
  if (!noted.ok()) return FailCell(noted, cell);
  if (late == nullptr) return;
  const absl::StatusOr<std::string> problem = cell->session->ExamineLate(
      late, stats::Summarize(row.timing.samples_ns).median,
      ControlFor(TimingFor(options_.timing, plan.device)));
  if (!problem.ok()) return FailCell(problem.status(), cell);
  if (!problem->empty()) MarkWrongOutput(*problem, &row);
}

void CellTimer::Finish(const DevicePlan& plan, const ModelAnswers& answers,
                       Cell* cell, Attempt* attempt) const {
  reports::Row& row = cell->row;
  judge_.Judge(plan, cell, attempt);
  if (row.timing.samples_ns.empty()) return;
  if (options_.timing.per_op && !row.emulated) {
    const absl::Status status = TimeKernels(plan, cell);
    if (!status.ok()) return FailCell(status, cell);
  }
  if (services_.trace == nullptr) return;
  const absl::Status traced = Trace(
      plan, answers.TimedFor(plan.device)[0].inputs, *cell, &attempt->remarks);
  if (!traced.ok()) FailCell(traced, cell);
}

absl::Status CellTimer::Trace(const DevicePlan& plan,
                              const runtime::NamedTensors& inputs,
                              const Cell& cell, Remarks* remarks) const {
  const std::string label = Label(cell.row);
  if (plan.leased() || !plan.device.has_in_process() ||
      cell.artifact->code_kind != ASSAY_CODE_KIND_ELF) {
    remarks->once.insert(
        absl::StrCat("no trace of ", plan.device.name(),
                     ": only machine code of this machine can be traced\n"));
    return absl::OkStatus();
  }
  services_.progress->Step("tracing");
  runtime::TraceOptions options;
  options.threads = cell.row.cell.threads;
  ASSAY_ASSIGN_OR_RETURN(runtime::RunTrace trace,
                         runtime::TraceRun(*cell.artifact, inputs, options));
  TracedRun run;
  run.name = std::string(absl::StripSuffix(label, ": "));
  run.calls = cell.artifact->calls;
  run.trace = std::move(trace);
  absl::StrAppend(&remarks->lines, label,
                  "traced: ", TraceSummary(run, kSummaryKernels));
  return services_.trace->Add(std::move(run));
}

absl::Status CellTimer::TimeKernels(const DevicePlan& plan, Cell* cell) const {
  const int rounds =
      std::max(1, TimingFor(options_.timing, plan.device).repeat());
  ASSAY_ASSIGN_OR_RETURN(const Profile profile,
                         ProfileCalls(*cell->session, rounds));
  reports::Timing& timing = cell->row.timing;
  timing.operators_whole_ms = profile.whole_ns * 1e-6;
  for (size_t i = 0; i < profile.call_ns.size(); ++i) {
    const runtime::KernelCall& call = cell->artifact->calls[i];
    timing.operators.push_back({call.symbol, call.kind, call.sources,
                                profile.call_ns[i] * 1e-6, call.flops,
                                call.bytes});
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
