// Placement of the stages that depend on the state of a scan.
#include <map>
#include <set>
#include <vector>

#include "compiler/schedule/schedule_state.h"
#include "runtime/base/check.h"

namespace assay::schedule {
namespace {

// The scans on whose states each stage depends.
using ScansOf = std::map<const Stage*, std::set<const Stage*>>;

std::set<const Stage*> ScansOfReads(const ScheduleState& schedule,
                                    const StageState& state,
                                    const ScansOf& known) {
  std::set<const Stage*> scans;
  for (const te::Tensor& read : state.reads()) {
    const Stage* producer = schedule.Find(read);
    if (producer == nullptr) continue;
    if (read.is_state()) {
      scans.insert(producer);
      continue;
    }
    const auto found = known.find(producer);
    if (found != known.end()) {
      scans.insert(found->second.begin(), found->second.end());
    }
  }
  return scans;
}

ScansOf FindScans(const ScheduleState& schedule) {
  ScansOf scans;
  for (const auto& stage : schedule.stages) {
    if (stage->state().placement == Placement::kInline) continue;
    scans[stage.get()] = ScansOfReads(schedule, stage->state(), scans);
    scans[stage.get()].erase(stage.get());
  }
  return scans;
}

bool HasScan(const ScheduleState& schedule) {
  for (const auto& stage : schedule.stages) {
    if (stage->state().is_scan()) return true;
  }
  return false;
}

// Checks that the initial values of the scan are not computed inside of it.
absl::Status ValidateInit(const ScheduleState& schedule, const Stage& scan) {
  std::vector<expr::Expr> inits;
  for (const expr::Expr& body : scan.state().bodies) {
    inits.push_back(body.As<expr::Select>()->true_value);
  }
  for (const te::Tensor& read : te::TensorsRead(inits)) {
    const Stage* producer = schedule.Find(read);
    if (producer != nullptr && IsInside(*producer, -1, scan, 0)) {
      return StageError(*producer, "it gives the first times of scan `",
                        scan.name(),
                        "`, so it cannot be computed inside of it");
    }
  }
  return absl::OkStatus();
}

}  // namespace

void PlaceByDefault(const ScheduleState& schedule, StageState& state) {
  state.placement = Placement::kRoot;
  if (!HasScan(schedule)) return;
  std::set<const Stage*> scans =
      ScansOfReads(schedule, state, FindScans(schedule));
  // The innermost of nested scans comes first, because the outer ones depend on
  // it.
  for (const auto& stage : schedule.stages) {
    if (scans.count(stage.get()) == 0 ||
        stage->state().tensor().same_as(state.tensor())) {
      continue;
    }
    CHECK(!state.is_extern())
        << "extern `" << state.name << "` depends on the state of scan `"
        << stage->name() << "`";
    state.placement = Placement::kAt;
    state.attach_stage = stage.get();
    state.attach_axis = stage->state().leaves[0].axis.name;
    return;
  }
}

absl::Status ValidateScans(const ScheduleState& schedule) {
  if (!HasScan(schedule)) return absl::OkStatus();
  for (const auto& [stage, scans] : FindScans(schedule)) {
    for (const Stage* scan : scans) {
      if (IsInside(*stage, -1, *scan, 0)) continue;
      return StageError(*stage, "it depends on the state of scan `",
                        scan->name(),
                        "`, so it must be computed inside of its axis `",
                        scan->state().leaves[0].axis.name, "`");
    }
  }
  for (const auto& stage : schedule.stages) {
    if (!stage->state().is_scan()) continue;
    const absl::Status status = ValidateInit(schedule, *stage);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace assay::schedule
