// Scheduler: runs the jobs of a run on the device slots.
//
// Without --parallel, one thread runs all jobs in their order, each on the slot
// of its device. With --parallel=N, each device has up to N slots. The first
// one is already open (plan.h). Each of the others waits for another device of
// the same kind until it gets one or all jobs are finished. A slot that has
// lost its device for good ends, and gives its job back if another slot can run
// it (job_list.h).
#ifndef ASSAY_SUITES_HARNESS_SCHEDULER_H_
#define ASSAY_SUITES_HARNESS_SCHEDULER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "suites/devices/device_slot.h"
#include "suites/harness/job_list.h"
#include "suites/harness/judge.h"
#include "suites/harness/progress.h"

namespace assay::suites {

// An open device, and what it has measured in this run.
struct Slot {
  DeviceSlot device;
  SlotHistory history;
};

class Scheduler {
 public:
  // A function that runs a job, and then calls JobList::Finish() or
  // JobList::GiveBack(). Returns false if it gave the job back. Called by
  // several threads with --parallel.
  using RunJob = std::function<bool(const Job& job, Slot* slot)>;

  // `devices` are the devices of --device. Slots are opened with `files`. All
  // that the arguments refer to must outlive this object.
  Scheduler(std::vector<DeviceSlot> devices, const DeviceFiles& files,
            JobList& jobs, Progress& progress);

  // Runs all jobs on up to `parallel` slots of each device.
  void Run(int parallel, const RunJob& run);

  // Returns lines about the slots for the report.
  std::string notes() const;

 private:
  // Runs jobs until there are none, and releases the device. Returns true if
  // the slot has run at least one job.
  bool RunSlot(int device, Slot* slot, const RunJob& run);
  // Waits for another device like the first one. Returns nullopt if there is
  // none.
  std::optional<Slot> OpenAnother(int device);
  void Note(const std::string& text);

  std::vector<Slot> slots_;  // the first slot of each device
  const DeviceFiles files_;
  JobList& jobs_;
  Progress& progress_;
  mutable absl::Mutex mutex_;
  std::string notes_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_SCHEDULER_H_
