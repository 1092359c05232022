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
// It then gives its job back, and does not take the others. A slot that finds
// no job ends, and releases its device at once: a slot that has lost its device
// may be waiting for it.
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

  // A slot of the device begins to take jobs.
  void Join(int device);
  // Returns the first job that no slot has taken. If there is none, the slot
  // has left the list.
  std::optional<Job> Take(int device);
  // Returns the first job of any device, for a run without --parallel.
  std::optional<Job> TakeAny();
  // Another slot will measure the job; this slot has left the list. Returns
  // false, without effect, if the device has no other slot.
  bool GiveBack(const Job& job);
  // The job was measured. Returns true if all jobs of its model are finished
  // or dropped.
  bool Finish(const Job& job);
  // The jobs of the model that no slot has taken will not be measured.
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
  std::vector<int> takers_;  // of each device
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_JOB_LIST_H_
