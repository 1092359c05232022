#include "suites/harness/time.h"

#include <algorithm>
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
#include "suites/devices/block_log.h"
#include "suites/sampling/profile.h"
#include "suites/sampling/sampler.h"

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
absl::Status TimeEmulated(const devices::TimingPolicy& timing,
                          CheckedSession& session,
                          std::vector<double>* samples_ns) {
  if (timing.number() <= 1 && timing.warmup() == 0 &&
      timing.min_repeat_ms() == 0) {
    samples_ns->push_back(session.examined_ns());
  }
  runtime::Block block;
  for (int i = static_cast<int>(samples_ns->size()); i < timing.repeat(); ++i) {
    block.samples.push_back(
        {/*program=*/0, timing.number(), i == 0 ? timing.warmup() : 0});
  }
  if (block.samples.empty()) return absl::OkStatus();
  block.min_sample_nanos = timing.min_repeat_ms() * kNanosPerMilli;
  block.cooldown_nanos = timing.cooldown_ms() * kNanosPerMilli;
  ASSAY_RETURN_IF_ERROR(session.BeginRound(0));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<runtime::Sample> samples,
                         session.RunBlock(block));
  for (const runtime::Sample& sample : samples) {
    samples_ns->push_back(sample.NanosPerRun());
  }
  return absl::OkStatus();
}

// Returns the time of loading, if the device has timed it.
absl::StatusOr<std::optional<double>> LoadMillis(CheckedSession& session) {
  const absl::StatusOr<int64_t> nanos = session.LoadNanos();
  if (absl::IsUnimplemented(nanos.status())) return std::nullopt;
  ASSAY_RETURN_IF_ERROR(nanos.status());
  return static_cast<double>(*nanos) / 1e6;
}

// Returns the peak of the memory, if the device has told it.
std::optional<int64_t> PeakOf(const absl::StatusOr<int64_t>& bytes) {
  return bytes.ok() ? std::optional<int64_t>(*bytes) : std::nullopt;
}

// Sets the speed-ups by fusion and by tuning: how many times as fast each cell
// is as the cell of another variant, if both were timed.
void CompareVariants(const std::vector<const CheckedCell*>& cells,
                     std::vector<TimedCell>* timed) {
  const auto speedup =
      [&](size_t i, reports::Variant variant) -> std::optional<stats::Ratio> {
    for (size_t k = 0; k < cells.size(); ++k) {
      if (!(cells[k]->key.variant == variant) || (*timed)[k].failure) continue;
      return stats::SpeedRatio((*timed)[i].timing.samples_ns,
                               (*timed)[k].timing.samples_ns);
    }
    return std::nullopt;
  };
  for (size_t i = 0; i < cells.size(); ++i) {
    if ((*timed)[i].failure) continue;
    reports::Comparison& comparison = (*timed)[i].comparison;
    reports::Variant variant = cells[i]->key.variant;
    if (variant.fusion) {
      variant.fusion = false;
      comparison.speedup_vs_unfused = speedup(i, variant);
    }
    variant = cells[i]->key.variant;
    if (variant.tuned) {
      variant.tuned = false;
      comparison.speedup_vs_untuned = speedup(i, variant);
    }
  }
}

absl::Status TimeKernels(const CheckedCell& cell, int rounds,
                         reports::Timing* timing) {
  if (cell.artifact->calls.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const Profile profile,
                         ProfileCalls(*cell.session, rounds));
  timing->operators_whole_ms = profile.whole_ns * 1e-6;
  for (size_t i = 0; i < profile.call_ns.size(); ++i) {
    const runtime::KernelCall& call = cell.artifact->calls[i];
    timing->operators.push_back({call.symbol, call.kind, call.sources,
                                 profile.call_ns[i] * 1e-6, call.flops,
                                 call.bytes});
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<TimedCell> TimeStage::Time(
    const std::vector<const CheckedCell*>& cells, const ModelAnswers& answers,
    const DeviceSlot& slot, ReportNotes* notes) const {
  Batch batch = {cells, answers, slot, TimingFor(options_.timing, slot.device),
                 std::vector<TimedCell>(cells.size())};
  progress_.Step("measuring");
  const absl::Status status = TakeSamples(&batch);
  for (size_t i = 0; i < cells.size(); ++i) {
    const absl::Status completed =
        status.ok() ? Complete(i, &batch, notes) : status;
    if (!completed.ok()) batch.timed[i].failure = Failure(completed);
  }
  if (!slot.facts.emulated) CompareVariants(cells, &batch.timed);
  return std::move(batch.timed);
}

absl::Status TimeStage::TakeSamples(Batch* batch) const {
  const DeviceSlot& slot = batch->slot;
  if (slot.facts.emulated) {
    for (size_t i = 0; i < batch->cells.size(); ++i) {
      reports::Timing& timing = batch->timed[i].timing;
      slot.blocks->Take();
      ASSAY_RETURN_IF_ERROR(TimeEmulated(
          batch->timing, *batch->cells[i]->session, &timing.samples_ns));
      timing.blocks = slot.blocks->Take();
    }
    return absl::OkStatus();
  }
  if (slot.leased()) return TimeInTurns(batch);
  if (!slot.device.has_in_process()) return TimeTogether(batch);
  host_.StartObserving(batch->cells[0]->key.threads);
  const absl::Status status = TimeTogether(batch);
  const std::vector<std::string> disturbances = host_.StopObserving();
  for (TimedCell& timed : batch->timed) {
    timed.timing.disturbances = disturbances;
  }
  return status;
}

absl::Status TimeStage::TimeTogether(Batch* batch) const {
  SamplingOptions sampling = SamplingFor(batch->timing, options_.timing.seed);
  sampling.begin_round = [&](int64_t round) -> absl::Status {
    for (const CheckedCell* cell : batch->cells) {
      ASSAY_RETURN_IF_ERROR(cell->session->BeginRound(round));
    }
    return absl::OkStatus();
  };
  std::vector<Contender> contenders;
  for (const CheckedCell* cell : batch->cells) {
    contenders.push_back({LabelOf(cell->key), cell->session.get()});
  }
  Sampler sampler(std::move(contenders), std::move(sampling),
                  Clock::Monotonic());
  ASSAY_RETURN_IF_ERROR(sampler.RunRounds(batch->timing.repeat()));
  for (size_t i = 0; i < batch->cells.size(); ++i) {
    batch->timed[i].timing.samples_ns = sampler.samples_ns(static_cast<int>(i));
  }
  return absl::OkStatus();
}

absl::Status TimeStage::TimeInTurns(Batch* batch) const {
  std::vector<Sampler> samplers;
  samplers.reserve(batch->cells.size());
  for (const CheckedCell* cell : batch->cells) {
    SamplingOptions sampling = SamplingFor(batch->timing, options_.timing.seed);
    sampling.begin_round = [session = cell->session.get()](int64_t round) {
      return session->BeginRound(round);
    };
    samplers.emplace_back(
        std::vector<Contender>{{LabelOf(cell->key), cell->session.get()}},
        std::move(sampling), Clock::Monotonic());
  }
  BlockLog& blocks = *batch->slot.blocks;
  for (int turn = 1; turn <= kTurns; ++turn) {
    for (size_t i = 0; i < samplers.size(); ++i) {
      // The order is reversed from turn to turn, as in A B, B A.
      const size_t next = turn % 2 == 1 ? i : samplers.size() - 1 - i;
      blocks.Take();
      ASSAY_RETURN_IF_ERROR(samplers[next].RunRounds(
          int64_t{batch->timing.repeat()} * turn / kTurns));
      Append(blocks.Take(), &batch->timed[next].timing.blocks);
    }
  }
  for (size_t i = 0; i < batch->cells.size(); ++i) {
    batch->timed[i].timing.samples_ns = samplers[i].samples_ns(0);
  }
  return absl::OkStatus();
}

absl::Status TimeStage::Complete(size_t index, Batch* batch,
                                 ReportNotes* notes) const {
  const CheckedCell& cell = *batch->cells[index];
  const DeviceSlot& slot = batch->slot;
  TimedCell& timed = batch->timed[index];
  if (timed.timing.samples_ns.empty()) {
    return absl::InternalError("the device returned no samples");
  }
  if (options_.reference != nullptr) {
    progress_.Step(
        absl::StrCat("comparing with ", options_.reference->wanted()));
    ASSAY_RETURN_IF_ERROR(options_.reference->Compare(
        cell, batch->answers, slot, &timed.comparison, notes));
  }
  std::string problem = cell.session->problem();
  const LateExamples late = batch->answers.LateFor(slot.device);
  if (problem.empty()) {
    ASSAY_ASSIGN_OR_RETURN(timed.timing.load_ms, LoadMillis(*cell.session));
    timed.timing.peak_rss_bytes = MeasurePeakMemory(cell, batch->answers, slot);
    if (late != nullptr) {
      ASSAY_ASSIGN_OR_RETURN(
          problem, cell.session->ExamineLate(
                       late, stats::Summarize(timed.timing.samples_ns).median,
                       ControlFor(batch->timing)));
    }
  }
  if (!problem.empty()) timed.failure = WrongOutput(problem);
  return absl::OkStatus();
}

std::optional<int64_t> TimeStage::MeasurePeakMemory(
    const CheckedCell& cell, const ModelAnswers& answers,
    const DeviceSlot& slot) const {
  if (slot.facts.emulated) return std::nullopt;
  if (slot.leased() || !slot.device.has_in_process()) {
    return PeakOf(cell.session->PeakResidentBytes());
  }
  // This process has the compiler and the model in its memory, too. Bytecode is
  // slow, and its interpreter is not what runs on a board.
  if (cell.artifact->code_kind != ASSAY_CODE_KIND_ELF) return std::nullopt;
  return PeakOf(
      host_.MeasurePeakMemory(*cell.artifact, cell.key.threads,
                              answers.TimedFor(slot.device)[0].inputs));
}

absl::Status TimeStage::Profile(const CheckedCell& cell,
                                const ModelAnswers& answers,
                                const DeviceSlot& slot, reports::Timing* timing,
                                ReportNotes* notes) const {
  if (options_.timing.per_op && !slot.facts.emulated) {
    const int rounds = TimingFor(options_.timing, slot.device).repeat();
    ASSAY_RETURN_IF_ERROR(TimeKernels(cell, std::max(1, rounds), timing));
  }
  if (options_.trace == nullptr) return absl::OkStatus();
  return Trace(cell, answers, slot, notes);
}

absl::Status TimeStage::Trace(const CheckedCell& cell,
                              const ModelAnswers& answers,
                              const DeviceSlot& slot,
                              ReportNotes* notes) const {
  if (slot.leased() || !slot.device.has_in_process() ||
      cell.artifact->code_kind != ASSAY_CODE_KIND_ELF) {
    notes->once.insert(
        absl::StrCat("no trace of ", slot.device.name(),
                     ": only machine code of this machine can be traced\n"));
    return absl::OkStatus();
  }
  progress_.Step("tracing");
  runtime::TraceOptions options;
  options.threads = cell.key.threads;
  ASSAY_ASSIGN_OR_RETURN(
      runtime::RunTrace trace,
      runtime::TraceRun(*cell.artifact, answers.TimedFor(slot.device)[0].inputs,
                        options));
  const std::string label = LabelOf(cell.key);
  TracedRun run;
  run.name = std::string(absl::StripSuffix(label, ": "));
  run.calls = cell.artifact->calls;
  run.trace = std::move(trace);
  absl::StrAppend(&notes->lines, label,
                  "traced: ", TraceSummary(run, kSummaryKernels));
  return options_.trace->Add(std::move(run));
}

}  // namespace assay::suites
