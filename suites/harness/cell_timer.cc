#include "suites/harness/cell_timer.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/format_ratio.h"
#include "reports/stats/ratio.h"
#include "reports/stats/summary.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/row_outcome.h"
#include "suites/sampling/profile.h"

namespace assay::suites {
namespace {

constexpr int64_t kNanosPerMilli = 1'000'000;

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

// Returns the conditions of a row and of the reference runtime, which is called
// `name` and is loaded with the conditions `reference`. The same sampler
// measures both, and both get the inputs of the same example before each round.
std::vector<NamedParity> ManifestOf(const reports::Row& row,
                                    const std::string& name,
                                    const Parity& reference,
                                    const SamplingOptions& sampling,
                                    size_t num_examples) {
  std::vector<NamedParity> manifest = {{"ours", OurParity(row.cell.threads)},
                                       {name, reference}};
  for (NamedParity& contender : manifest) {
    contender.parity.warmup_runs = 1;  // because of min_number_for_warmup
    contender.parity.warmup_nanos = sampling.warmup_nanos;
    contender.parity.inputs =
        num_examples > 1 ? InputChange::kEveryRound : InputChange::kNever;
  }
  return manifest;
}

// Sets the speed-up by fusion if the model was timed both ways.
void CompareFusion(const std::vector<Cell*>& cells) {
  reports::Row* on = nullptr;
  const reports::Row* off = nullptr;
  for (Cell* cell : cells) {
    if (cell->row.timing.samples_ns.empty() || cell->row.emulated) continue;
    if (cell->row.cell.fusion) on = &cell->row;
    if (!cell->row.cell.fusion) off = &cell->row;
  }
  if (on == nullptr || off == nullptr) return;
  on->comparison.speedup_vs_unfused =
      stats::SpeedRatio(on->timing.samples_ns, off->timing.samples_ns);
}

}  // namespace

void CellTimer::Time(const DevicePlan& plan, const ModelAnswers& answers,
                     std::vector<Cell>* cells) const {
  std::vector<Cell*> sound;
  for (Cell& cell : *cells) {
    if (cell.session != nullptr) sound.push_back(&cell);
  }
  if (sound.empty()) return;
  services_.progress->Step("measuring");
  const absl::Status status =
      TakeSamples(plan, answers.For(plan.device), sound);
  for (Cell* cell : sound) {
    if (status.ok()) {
      Finish(plan, answers.LateFor(plan.device), cell);
    } else {
      Fail(status, &cell->row);
    }
  }
  CompareFusion(sound);
}

absl::Status CellTimer::TakeSamples(const DevicePlan& plan,
                                    absl::Span<const Example> examples,
                                    const std::vector<Cell*>& cells) const {
  const devices::TimingPolicy timing = TimingFor(options_.timing, plan.device);
  SamplingOptions sampling = SamplingFor(timing, options_.timing.seed);
  std::vector<NamedParity> manifest;
  const std::unique_ptr<runtime::Session> reference =
      LoadReference(examples, cells[0]->row, sampling, &manifest);
  if (cells[0]->row.emulated) {
    for (Cell* cell : cells) {
      ASSAY_RETURN_IF_ERROR(TimeEmulated(timing, cell));
    }
    return absl::OkStatus();
  }
  sampling.begin_round = [&](int64_t round) -> absl::Status {
    for (const Cell* cell : cells) {
      ASSAY_RETURN_IF_ERROR(cell->session->BeginRound(round));
    }
    if (reference == nullptr) return absl::OkStatus();
    const size_t example = static_cast<size_t>(round) % examples.size();
    return reference->SetInputs(examples[example].inputs);
  };
  std::vector<Contender> contenders;
  for (const Cell* cell : cells) {
    contenders.push_back({cell->name, cell->session.get()});
  }
  if (reference != nullptr) {
    contenders.push_back({services_.tools.reference->name, reference.get()});
    if (cells[0]->row.cell.threads > 1) {
      sampling.settle = services_.tools.reference->settle;
    }
  }
  Sampler sampler(std::move(contenders), std::move(sampling),
                  Clock::Monotonic());
  ASSAY_RETURN_IF_ERROR(sampler.RunRounds(timing.repeat()));
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i]->row.timing.samples_ns = sampler.samples_ns(static_cast<int>(i));
    if (reference != nullptr) {
      CompareWithReference(sampler.samples_ns(static_cast<int>(cells.size())),
                           &cells[i]->row);
      cells[i]->row.comparison.parity = ParityRecord(manifest);
    }
  }
  // Many rows have the same conditions.
  const std::string conditions = ParityTable(manifest);
  if (!absl::StrContains(*remarks_, conditions)) *remarks_ += conditions;
  return absl::OkStatus();
}

// Loads the reference runtime and sets `*manifest` to the conditions of the row
// and of the runtime. Returns null without --reference. If the runtime is not
// available, or if its conditions differ, returns null and adds a remark.
std::unique_ptr<runtime::Session> CellTimer::LoadReference(
    absl::Span<const Example> examples, const reports::Row& row,
    const SamplingOptions& sampling, std::vector<NamedParity>* manifest) const {
  if (options_.comparison.reference.empty()) return nullptr;
  absl::StatusOr<PreparedReference> loaded =
      absl::UnimplementedError("the times of an emulator mean nothing");
  if (!row.emulated) {
    const absl::StatusOr<ReferenceRuntime>& runtime = services_.tools.reference;
    if (runtime.ok()) {
      loaded = runtime->load(model_, examples[0].inputs, row.cell.threads);
    } else {
      loaded = runtime.status();
    }
  }
  absl::Status status = loaded.status();
  if (status.ok()) {
    *manifest = ManifestOf(row, services_.tools.reference->name, loaded->parity,
                           sampling, examples.size());
    status = CheckParity(*manifest);
  }
  if (status.ok()) return std::move(loaded->session);
  manifest->clear();
  absl::StrAppend(remarks_, Label(row), "not compared with ",
                  options_.comparison.reference, ": ", status.message(), "\n");
  return nullptr;
}

void CellTimer::CompareWithReference(const std::vector<double>& reference_ns,
                                     reports::Row* row) const {
  if (reference_ns.empty() || row->timing.samples_ns.empty()) return;
  const stats::Ratio ratio =
      stats::SpeedRatio(row->timing.samples_ns, reference_ns);
  row->comparison.speedup_vs_reference = ratio;
  const auto median_ms = [](const std::vector<double>& samples_ns) {
    return 1e-6 * stats::Percentile(samples_ns, 50);
  };
  absl::StrAppend(remarks_, Label(*row), "speed compared with ",
                  services_.tools.reference->name, ": ",
                  reports::FormatRatio(ratio),
                  absl::StrFormat(" (medians %.3f and %.3f ms)\n",
                                  median_ms(row->timing.samples_ns),
                                  median_ms(reference_ns)));
}

void CellTimer::Finish(const DevicePlan& plan, absl::Span<const Example> late,
                       Cell* cell) const {
  reports::Row& row = cell->row;
  if (row.timing.samples_ns.empty()) {
    return Fail(absl::InternalError("the device returned no samples"), &row);
  }
  if (!cell->session->problem().empty()) {
    return MarkWrongOutput(cell->session->problem(), &row);
  }
  const absl::StatusOr<std::string> late_problem = cell->session->ExamineLate(
      late, stats::Summarize(row.timing.samples_ns).median);
  if (!late_problem.ok()) return Fail(late_problem.status(), &row);
  if (!late_problem->empty()) return MarkWrongOutput(*late_problem, &row);
  judge_.Judge(plan, cell);
  if (row.timing.samples_ns.empty()) return;
  if (!options_.timing.per_op || row.emulated) return;
  const absl::Status status = TimeKernels(plan, cell);
  if (!status.ok()) Fail(status, &row);
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
