// Step: one application of a schedule primitive, as data.
//
// A step refers to stages and axes by name, so that the steps of a schedule can
// be printed, stored, parsed and replayed on another Schedule of the same
// tensors. step_types.h defines the arguments of each step.
// compiler/docs/schedule.md defines the meaning of each step and when it is
// illegal. The text form has one step per line:
//
//   conv.split(ow, 14) -> ow.o, ow.i
//   conv.split(ow, 14, shift_inwards) -> ow.o, ow.i
//   conv.split_parts(oh, 2) -> oh.o, oh.i
//   out.fuse(n, oc) -> n.oc.f
//   out.reorder(ow.o, oc, ow.i)
//   out.vectorize(ow.i)
//   out.unroll(kw)
//   out.parallel(n.oc.f)
//   conv.compute_at(out, ow.o)
//   pad.compute_inline()
//   conv.cache_write(local) -> conv.local
//   data.cache_read(local, conv, out) -> data.local
//   conv.rfactor(ic.o, 0) -> conv.rf
//   conv.set_scope(local)
//   conv.storage_align(oh, 16, 4)
//   conv.double_buffer()
//   conv.transform_layout(n, oc/8, oh, ow, oc%8)
//   out.bind(n.oc.f, blockIdx.x)
//   out.env_threads(threadIdx.x, threadIdx.y)
//   out.store_predicate(threadIdx.x, 0)
//   conv.prefetch(weight, ic, 2)
//   conv.tensorize(oc.i, gemm_4x4x4)
//   out.pragma(ow.i, auto_unroll_max_step, 16)
//
// Names consist of the characters [A-Za-z0-9_.]. Arguments of transform_layout
// may also contain `/` and `%`. Names of stages may contain dots; the name of
// the primitive follows the last dot before the parenthesis. The names of the
// results (after `->`) may be omitted.
#ifndef ASSAY_COMPILER_SCHEDULE_STEPS_H_
#define ASSAY_COMPILER_SCHEDULE_STEPS_H_

#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/schedule/step_types.h"

namespace assay::schedule {

using Step = std::variant<Split, Fuse, Reorder, Vectorize, Unroll, Parallel,
                          Bind, Pragma, ComputeAt, ComputeInline, CacheWrite,
                          RFactor, SetScope, SplitParts, CacheRead,
                          StorageAlign, DoubleBuffer, TransformLayout,
                          EnvThreads, StorePredicate, Prefetch, Tensorize>;

// Returns the name of the stage to which the step applies. For cache_read, this
// is the name of the tensor that is copied.
const std::string& StageOf(const Step& step);

// Returns the text form of the step, without a newline.
std::string ToString(const Step& step);

// Parses one step per line. Empty lines and lines that start with `#` are
// skipped. Returns InvalidArgument, with the line number and the cause, if a
// line is not a step. Does not check whether the steps are legal.
absl::StatusOr<std::vector<Step>> ParseSteps(absl::string_view text);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STEPS_H_
