// CompareWork: compares what the kernels of two artifacts of one model execute,
// part by part (align_kernels.h). The artifacts are called `base` and `run`.
//
// The numbers are counts of an emulated run (runtime/tools/count), which are
// exact and the same on every machine. They answer whether a kernel does more,
// without a quiet machine and for boards that nobody has: a part that executes
// more instructions or accesses more bytes does more work, and a part with the
// same counts but other code differs only in how its instructions are arranged.
//
// Counts are not times. More work may take less time, for example if the loads
// become predictable or independent, and the same work may take more, for
// example if a loop crosses a boundary of cache lines or waits for a result. A
// verdict about speed needs measured times; this comparison says where to look
// and which differences of time have no cause in the amount of work. Nor does
// it see a change of the runtime: both artifacts are counted with the same one.
#ifndef ASSAY_SUITES_COMPARISON_WORK_CHANGE_H_
#define ASSAY_SUITES_COMPARISON_WORK_CHANGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::suites {

// How the work of a part has changed. A number has changed if it differs by
// more than kWorkTolerance. If a part has kernels in one artifact only, all of
// their work is more, or less.
enum class Work : uint8_t {
  // The kernels have the same machine code.
  kSameCode,
  // The code differs, but neither the number of instructions nor the number of
  // bytes has changed.
  kSameWork,
  // One of the numbers has increased, and the other one has not decreased.
  kMoreWork,
  // One of the numbers has decreased, and the other one has not increased.
  kLessWork,
  // One of the numbers has increased, and the other one has decreased.
  kOtherWork,
};

// 0.1 %. Some instructions of a call are executed by the runtime, and can
// differ by a few, for example with the number of parallel loops.
constexpr double kWorkTolerance = 0.001;

// Returns the name for reports: `same_code`, `same_work`, `more_work`,
// `less_work` or `other_work`.
std::string ToString(Work work);

// Returns how the work differs, for parts whose code is not the same.
Work CompareCounts(const runtime::RegionCounts& base,
                   const runtime::RegionCounts& run);

// One part of the model.
struct WorkChange {
  // As in AlignedKernels.
  std::vector<std::string> sources;
  std::vector<int64_t> base;
  std::vector<int64_t> run;
  // Sums over these calls. RegionCounts::lines is an upper bound if there are
  // several calls, which may access the same lines.
  runtime::RegionCounts base_counts;
  runtime::RegionCounts run_counts;
  Work work = Work::kSameCode;
};

// The calls of an artifact with their counts (runtime::CountKernels).
struct CountedCalls {
  absl::Span<const runtime::KernelCall> calls;
  absl::Span<const runtime::RegionCounts> counts;  // one for each call
};

// Returns all parts in the order of AlignKernels(). Both artifacts must be for
// the same machine. CHECK-fails unless there are counts of each call.
std::vector<WorkChange> CompareWork(const CountedCalls& base,
                                    const CountedCalls& run);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_WORK_CHANGE_H_
