#include "suites/harness/cell_timer.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "devices/device.h"
#include "reports/stats/summary.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/in_turns.h"
#include "suites/harness/profile.h"
#include "suites/harness/row_outcome.h"

namespace assay::suites {
namespace {

std::vector<double> InNanoseconds(std::vector<double> samples_ms) {
  for (double& sample : samples_ms) sample *= 1e6;
  return samples_ms;
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
  on->comparison.speedup_vs_unfused = reports::LatencySummary(*off)->median /
                                      reports::LatencySummary(*on)->median;
}

}  // namespace

void CellTimer::Time(const DevicePlan& plan,
                     const runtime::NamedTensors& inputs,
                     std::vector<Cell>* cells) const {
  std::vector<Cell*> sound;
  for (Cell& cell : *cells) {
    if (cell.session != nullptr) sound.push_back(&cell);
  }
  if (sound.empty()) return;
  services_.progress->Step("measuring");
  const absl::Status status = TakeSamples(plan, inputs, sound);
  for (Cell* cell : sound) {
    if (status.ok()) {
      Finish(plan, cell);
    } else {
      Fail(status, &cell->row);
    }
  }
  CompareFusion(sound);
}

absl::Status CellTimer::TakeSamples(const DevicePlan& plan,
                                    const runtime::NamedTensors& inputs,
                                    const std::vector<Cell*>& cells) const {
  const devices::TimingPolicy timing = TimingFor(options_.timing, plan.device);
  const std::unique_ptr<Session> reference =
      LoadReference(plan, inputs, cells[0]->row);
  // A run under emulation takes so long that it is not repeated in alternation.
  if (devices::IsEmulated(plan.device)) {
    for (Cell* cell : cells) {
      ASSAY_ASSIGN_OR_RETURN(const Measurement measurement,
                             cell->session->Measure(timing));
      cell->row.timing.samples_ns = InNanoseconds(measurement.samples_ms);
    }
    return absl::OkStatus();
  }
  std::vector<Session*> sessions;
  for (const Cell* cell : cells) sessions.push_back(cell->session.get());
  std::function<void()> settle;
  if (reference != nullptr) {
    sessions.push_back(reference.get());
    if (cells[0]->row.cell.threads > 1) {
      settle = services_.tools.reference->settle;
    }
  }
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<std::vector<double>> samples_ms,
      MeasureInTurns(sessions, timing, options_.timing.seed, settle));
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i]->row.timing.samples_ns = InNanoseconds(samples_ms[i]);
    if (reference != nullptr) {
      CompareWithReference(samples_ms.back(), &cells[i]->row);
    }
  }
  return absl::OkStatus();
}

// Null without --reference, or with a remark if the runtime is not available.
std::unique_ptr<Session> CellTimer::LoadReference(
    const DevicePlan& plan, const runtime::NamedTensors& inputs,
    const reports::Row& row) const {
  if (options_.comparison.reference.empty()) return nullptr;
  absl::StatusOr<std::unique_ptr<Session>> session =
      absl::UnimplementedError("the times of an emulator mean nothing");
  if (!devices::IsEmulated(plan.device)) {
    const absl::StatusOr<ReferenceRuntime>& runtime = services_.tools.reference;
    session = runtime.status();
    if (runtime.ok()) session = runtime->load(model_, inputs, row.cell.threads);
  }
  if (session.ok()) return *std::move(session);
  absl::StrAppend(remarks_, Label(row), "not compared with ",
                  options_.comparison.reference, ": ",
                  session.status().message(), "\n");
  return nullptr;
}

void CellTimer::CompareWithReference(const std::vector<double>& reference_ms,
                                     reports::Row* row) const {
  if (reference_ms.empty() || row->timing.samples_ns.empty()) return;
  const stats::Summary ours = *reports::LatencySummary(*row);
  const stats::Summary theirs = stats::Summarize(reference_ms);
  row->comparison.speedup_vs_reference = theirs.median / ours.median;
  absl::StrAppend(
      remarks_, Label(*row),
      absl::StrFormat("%.3f times as fast as %s by medians (%.3f and %.3f ms), "
                      "%.3f by fastest samples\n",
                      *row->comparison.speedup_vs_reference,
                      services_.tools.reference->name, ours.median,
                      theirs.median, theirs.min / ours.min));
}

void CellTimer::Finish(const DevicePlan& plan, Cell* cell) const {
  reports::Row& row = cell->row;
  if (row.timing.samples_ns.empty()) {
    return Fail(absl::InternalError("the device returned no samples"), &row);
  }
  if (!cell->session->problem().empty()) {
    return MarkWrongOutput(cell->session->problem(), &row);
  }
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
                         ProfileCalls(cell->session.get(), rounds));
  reports::Timing& timing = cell->row.timing;
  timing.operators_whole_ms = profile.whole_ms;
  for (size_t i = 0; i < profile.call_ms.size(); ++i) {
    const runtime::KernelCall& call = cell->artifact->calls[i];
    timing.operators.push_back({call.symbol, call.kind, call.sources,
                                profile.call_ms[i], call.flops, call.bytes});
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
