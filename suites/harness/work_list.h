// WorkList: the units of a run, which several lanes measure at the same time.
//
// A unit has the cells of one model, one device of --device and one number of
// threads. Its cells are compared with each other, so one lane measures all of
// them (model_run.h). Without --parallel, there is one lane for each device of
// --device, and one thread takes all units in their order. With --parallel=N,
// there are up to N lanes for each device, and each lane has a thread:
//
//   work.Join(plan);
//   while (const std::optional<Unit> unit = work.Take(plan)) {
//     Measure(*unit);
//     if (device_is_gone && work.GiveBack(*unit)) break;
//     Keep(results);
//     work.Finish(*unit);
//   }
//
// A lane whose device is lost waits for another device, but there may be none.
// It then gives its unit back, and does not take the others. A lane that finds
// no unit ends, and releases its device at once: a lane that has lost its
// device may be waiting for it.
//
// Thread-safe.
#ifndef ASSAY_SUITES_HARNESS_WORK_LIST_H_
#define ASSAY_SUITES_HARNESS_WORK_LIST_H_

#include <optional>
#include <vector>

#include "absl/synchronization/mutex.h"

namespace assay::suites {

struct Unit {
  int index = 0;  // in the order of the rows
  int model = 0;  // index of the model
  int plan = 0;   // index of the device in --device
  int threads = 0;
};

class WorkList {
 public:
  // The units are sorted by model, device and number of threads. `threads` has
  // the numbers of threads of each device.
  WorkList(int models, const std::vector<std::vector<int>>& threads);

  // A lane of the device begins to take units.
  void Join(int plan);
  // Returns the first unit that no lane has taken. If there is none, the lane
  // has left the list.
  std::optional<Unit> Take(int plan);
  // Returns the first unit of any device, for a run without --parallel.
  std::optional<Unit> TakeAny();
  // Another lane will measure the unit; this lane has left the list. Returns
  // false, without effect, if the device has no other lane.
  bool GiveBack(const Unit& unit);
  // The unit was measured. Returns true if all units of its model are finished
  // or dropped.
  bool Finish(const Unit& unit);
  // The units of the model that no lane has taken will not be measured.
  void Drop(int model);

  // Waits until all units are finished or dropped.
  void WaitUntilFinished() const;

  // Number of units of a device.
  int CountOf(int plan) const;

 private:
  enum class State { kOpen, kTaken, kFinished };

  // Requires the mutex.
  std::optional<Unit> TakeFirst(std::optional<int> plan);

  const std::vector<Unit> units_;
  mutable absl::Mutex mutex_;
  std::vector<State> states_;
  std::vector<int> lanes_;  // of each device
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_WORK_LIST_H_
