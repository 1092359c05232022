// JobList: the jobs of a run, which several device slots measure at the same
// time.
//
// A job has the cells of one model, one device of --device and one number of
// threads. Its cells are compared with each other, so one slot measures all of
// them (model_run.h). A slot is a device that is open. Without --parallel, each
// device of --device has one slot, and one thread takes all jobs in their
// order. With --parallel=N, each device has up to N slots, and each slot has a
// thread:
//
//   jobs.Join(device);
//   while (const std::optional<Job> job = jobs.Take(device)) {
//     Measure(*job);
//     if (device_is_gone && jobs.GiveBack(*job)) break;
//     Keep(results);
//     jobs.Finish(*job);
//   }
//
// A slot whose device is lost waits for another device, but there may be none.
// It then gives its job back, and takes no other jobs. A slot that finds no job
// ends, and releases its device at once, because a slot that has lost its own
// device may be waiting for one.
//
// Thread-safe.
#ifndef ASSAY_SUITES_HARNESS_JOB_LIST_H_
#define ASSAY_SUITES_HARNESS_JOB_LIST_H_

#include <optional>
#include <vector>

#include "absl/synchronization/mutex.h"

namespace assay::suites {

struct Job {
  int index = 0;   // in the order of the rows
  int model = 0;   // index of the model
  int device = 0;  // index of the device in --device
  int threads = 0;
};

class JobList {
 public:
  // The jobs are sorted by model, device and number of threads. `threads` has
  // the numbers of threads of each device.
  JobList(int models, const std::vector<std::vector<int>>& threads);

  // Registers a slot of the device. Must be called before the slot takes jobs.
  void Join(int device);
  // Returns the first job of the device that no slot has taken. If there is
  // none, unregisters the slot.
  std::optional<Job> Take(int device);
  // Returns the first job of any device that no slot has taken. For a run
  // without --parallel, in which slots are not registered.
  std::optional<Job> TakeAny();
  // Gives a job back, so that another slot of the device measures it, and
  // unregisters this slot. If the device has no other slot, returns false and
  // has no effect.
  bool GiveBack(const Job& job);
  // Records that the job was measured. Returns true if all jobs of its model
  // are finished or dropped.
  bool Finish(const Job& job);
  // Drops the jobs of the model that no slot has taken: they are not measured.
  void Drop(int model);

  // Waits until all jobs are finished or dropped.
  void WaitUntilFinished() const;

  // Number of jobs of a device.
  int CountOf(int device) const;

 private:
  enum class State { kOpen, kTaken, kFinished };

  // Requires the mutex.
  std::optional<Job> TakeFirst(std::optional<int> device);

  const std::vector<Job> jobs_;
  mutable absl::Mutex mutex_;
  std::vector<State> states_;
  std::vector<int> takers_;  // number of registered slots, by device
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_JOB_LIST_H_
