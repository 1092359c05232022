// Measurer: how long an artifact takes on a device, as raw samples.
//
// One interface for the tuner, the suites and the tools; the implementation
// decides where it runs: in this process (local_measurer.h), or on a device
// far away (rpc/client).
//
// Method, named and defined as in TVM's time_evaluator: after `warmup` runs
// nobody looks at, `repeat` samples are taken. A sample is the mean over
// `number` consecutive runs, because one run of a small kernel is shorter
// than a clock can tell. If `number` runs take less than `min_repeat_ms`, the
// sample is thrown away and `number` grows until they do; it stays grown, and
// is reported. Means and deviations over the samples are the reader's
// business; a sample once averaged away cannot be had back.
#ifndef ASSAY_RUNTIME_MEASURE_MEASURER_H_
#define ASSAY_RUNTIME_MEASURE_MEASURER_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::runtime {

struct MeasureOptions {
  int64_t warmup = 1;
  int64_t number = 10;
  int64_t repeat = 3;
  int64_t min_repeat_ms = 0;
  // Sleep between two repeats, so that a small board does not throttle.
  int64_t cooldown_interval_ms = 0;
  // If not 0, caches are flushed by going over this many bytes before each
  // repeat, outside the time taken: with number = 1 every run starts cold,
  // otherwise only the first of each repeat.
  int64_t flush_cache_bytes = 0;
  // Also time every kernel, in runs of their own after the others, so that
  // the samples do not suffer.
  bool per_op = false;
};

// InvalidArgument, naming the option, where one makes no sense.
absl::Status CheckOptions(const MeasureOptions& options);

struct MeasureResult {
  // Per repeat: the mean time of a run, and how many runs that is the mean of.
  std::vector<double> samples_ns;
  std::vector<int64_t> numbers;
  // With per_op: for each of the artifact's calls, one mean per repeat, over
  // as many runs as the last of `numbers`.
  std::vector<std::vector<double>> op_samples_ns;
  // What the last run computed, so that the caller can see what was timed. It
  // found its outputs overwritten: results of an earlier run are not among
  // them.
  NamedTensors outputs;
};

// Told after each sample: how many of the `repeat` are there, and the last.
struct MeasureProgress {
  int64_t done = 0;
  int64_t repeat = 0;
  double last_sample_ns = 0;
};
using MeasureProgressFn = std::function<void(const MeasureProgress&)>;

class Measurer {
 public:
  virtual ~Measurer() = default;

  // InvalidArgument: the options, inputs or artifact are no good and will not
  // get better. Any other error is of the device. `progress` may be null.
  virtual absl::StatusOr<MeasureResult> Measure(
      const Artifact& artifact, const NamedTensors& inputs,
      const MeasureOptions& options, const MeasureProgressFn& progress) = 0;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_MEASURER_H_
