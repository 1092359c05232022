#include "suites/comparison/work_change.h"

#include <cstddef>
#include <utility>

#include "runtime/base/check.h"
#include "suites/comparison/align_kernels.h"

namespace assay::suites {
namespace {

// Returns 1 if the number has increased, -1 if it has decreased, otherwise 0.
int Direction(int64_t base, int64_t run) {
  const double difference = static_cast<double>(run - base);
  const double tolerance = kWorkTolerance * static_cast<double>(base);
  if (difference > tolerance) return 1;
  return difference < -tolerance ? -1 : 0;
}

runtime::RegionCounts SumOf(const std::vector<int64_t>& calls,
                            const CountedCalls& counted) {
  runtime::RegionCounts sum;
  for (const int64_t call : calls) {
    sum += counted.counts[static_cast<size_t>(call)];
  }
  return sum;
}

}  // namespace

std::string ToString(Work work) {
  switch (work) {
    case Work::kSameCode:
      return "same_code";
    case Work::kSameWork:
      return "same_work";
    case Work::kMoreWork:
      return "more_work";
    case Work::kLessWork:
      return "less_work";
    case Work::kOtherWork:
      return "other_work";
  }
  CHECK(false) << static_cast<int>(work);
  return "";
}

Work CompareCounts(const runtime::RegionCounts& base,
                   const runtime::RegionCounts& run) {
  const int instructions = Direction(base.Total(), run.Total());
  const int bytes = Direction(base.Bytes(), run.Bytes());
  if (instructions * bytes < 0) return Work::kOtherWork;
  const int direction = instructions + bytes;
  if (direction > 0) return Work::kMoreWork;
  return direction < 0 ? Work::kLessWork : Work::kSameWork;
}

std::vector<WorkChange> CompareWork(const CountedCalls& base,
                                    const CountedCalls& run) {
  CHECK_EQ(base.calls.size(), base.counts.size());
  CHECK_EQ(run.calls.size(), run.counts.size());
  std::vector<WorkChange> changes;
  for (AlignedKernels& part : AlignKernels(base.calls, run.calls)) {
    WorkChange change;
    change.base_counts = SumOf(part.base, base);
    change.run_counts = SumOf(part.run, run);
    change.work = part.same_code
                      ? Work::kSameCode
                      : CompareCounts(change.base_counts, change.run_counts);
    change.sources = std::move(part.sources);
    change.base = std::move(part.base);
    change.run = std::move(part.run);
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace assay::suites
