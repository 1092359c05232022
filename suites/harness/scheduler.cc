#include "suites/harness/scheduler.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::suites {

Scheduler::Scheduler(std::vector<DeviceSlot> devices, const DeviceFiles& files,
                     JobList& jobs, Progress& progress)
    : files_(files), jobs_(jobs), progress_(progress) {
  for (DeviceSlot& device : devices) slots_.push_back({std::move(device), {}});
}

void Scheduler::Run(int parallel, const RunJob& run) {
  if (parallel == 1) {
    while (const std::optional<Job> job = jobs_.TakeAny()) {
      run(*job, &slots_[job->device]);
    }
    return;
  }
  const int devices = static_cast<int>(slots_.size());
  std::vector<std::atomic<int>> used(slots_.size());
  std::vector<std::thread> threads;
  for (int device = 0; device < devices; ++device) jobs_.Join(device);
  for (int device = 0; device < devices; ++device) {
    threads.emplace_back([this, device, &used, &run] {
      if (RunSlot(device, &slots_[device], run)) ++used[device];
    });
    const int wanted = std::min(parallel, jobs_.CountOf(device));
    for (int i = 1; i < wanted; ++i) {
      threads.emplace_back([this, device, &used, &run] {
        std::optional<Slot> slot = OpenAnother(device);
        if (!slot.has_value()) return;
        jobs_.Join(device);
        if (RunSlot(device, &*slot, run)) ++used[device];
      });
    }
  }
  jobs_.WaitUntilFinished();
  files_.source.StopWaiting();
  for (std::thread& thread : threads) thread.join();
  for (int device = 0; device < devices; ++device) {
    const int wanted = std::min(parallel, jobs_.CountOf(device));
    if (used[device] >= wanted) continue;
    Note(absl::StrCat(slots_[device].device.device.name(), ": measured on ",
                      used[device].load(),
                      used[device] == 1 ? " device" : " devices",
                      " at a time instead of ", wanted,
                      ", because no more were free in time"));
  }
}

bool Scheduler::RunSlot(int device, Slot* slot, const RunJob& run) {
  bool any = false;
  while (const std::optional<Job> job = jobs_.Take(device)) {
    if (!run(*job, slot)) break;
    any = true;
  }
  progress_.Leave();
  slot->device.runner = nullptr;
  return any;
}

std::optional<Slot> Scheduler::OpenAnother(int device) {
  const DeviceSlot& first = slots_[device].device;
  absl::StatusOr<DeviceSlot> slot = OpenSlot(first.flag, first.threads, files_);
  if (!slot.ok()) return std::nullopt;
  const std::string problem = WhyNotTogether(first.facts, slot->facts);
  if (problem.empty()) return Slot{*std::move(slot), {}};
  Note(absl::StrCat(slot->facts.board, " ", problem,
                    ", so nothing was measured on it"));
  return std::nullopt;
}

void Scheduler::Note(const std::string& text) {
  const absl::MutexLock lock(&mutex_);
  absl::StrAppend(&notes_, text, "\n");
}

std::string Scheduler::notes() const {
  const absl::MutexLock lock(&mutex_);
  return notes_;
}

}  // namespace assay::suites
