// AutoTvmHints: logs of TVM's AutoTVM as hints for the tuner.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto hints, ReadHints(path));
//   for (const driver::TunedKernel& point : HintsFor(hints, task)) {
//     // Try `point` first if the search space of the task has it.
//   }
//
// A hint is a point that is tried first. It is measured like any other point,
// because it comes from other code, and mostly from another machine.
//
// Only records of the template `conv2d_NCHWc.x86` for float32 correspond to a
// template of ours, conv2d.direct_nchwc:
//
//   AutoTVM           here
//   tile_ic, tile_oc  the blocks of channels, so they select the task
//   tile_ow           tile_ow
//   unroll_kw         nothing
//
// Our template has two more knobs. Its `tile_oc`, the number of blocks of
// filters in a tile, is 1, because a tile of AutoTVM has one block.
// `inline_pad` is 0, because AutoTVM pads the data before the loops. For
// filters of one pixel, AutoTVM has `tile_oh`, the rows of a tile, instead of
// `unroll_kw`. Our template has no such knob, so only records with one row
// correspond.
#ifndef ASSAY_SUITES_TUNE_LOG_AUTOTVM_HINTS_H_
#define ASSAY_SUITES_TUNE_LOG_AUTOTVM_HINTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/op_instance.h"
#include "compiler/tune/task/tasks.h"
#include "runtime/base/shape.h"

namespace assay::suites {

// A record of a convolution that succeeded.
struct AutoTvmConv2d {
  Shape data;     // NCHW
  Shape weights;  // OIHW
  graph::Pair strides = {1, 1};
  graph::Padding padding = {0, 0, 0, 0};
  graph::Pair dilations = {1, 1};
  // Inner extents of the splits.
  int64_t tile_ic = 0;
  int64_t tile_oc = 0;
  int64_t tile_ow = 0;
};

// Parses a line of a log of version 0.2. Returns NotFound if the line is a
// record that corresponds to no point of ours (see above), or the record of a
// failed trial. Returns InvalidArgument, with the name of the member, if it is
// not a record.
absl::StatusOr<AutoTvmConv2d> ParseAutoTvmLine(absl::string_view line);

// Returns the point that corresponds to `hint` for the convolution `op`, or
// nullopt if `op` is another convolution, or in another layout.
std::optional<driver::TunedKernel> HintedPoint(const AutoTvmConv2d& hint,
                                               const ops::OpInstance& op);

// Reads the records of a log that can be hints. Returns InvalidArgument, with
// the number of the line, if a line is no record of AutoTVM.
absl::StatusOr<std::vector<AutoTvmConv2d>> ReadHints(const std::string& path);

// Returns the points that correspond to hints for the task. The search space of
// the task need not have them.
std::vector<driver::TunedKernel> HintsFor(
    const std::vector<AutoTvmConv2d>& hints, const tune::Task& task);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_AUTOTVM_HINTS_H_
