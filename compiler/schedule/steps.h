// Step: one application of one schedule primitive, as data.
//
// A step names the stage and the axes it works on, so that a schedule can be
// printed, stored, parsed back and replayed on another Schedule of the same
// tensors. What each primitive means and when it is illegal:
// compiler/docs/schedule.md. Text form, one step a line:
//
//   conv.split(ow, 14) -> ow.o, ow.i
//   conv.split(ow, 14, shift) -> ow.o, ow.i
//   conv.split_parts(oh, 2) -> oh.o, oh.i
//   out.fuse(n, oc) -> n.oc.f
//   out.reorder(ow.o, oc, ow.i)
//   out.vectorize(ow.i)
//   out.unroll(kw)
//   out.parallel(n.oc.f)
//   conv.compute_at(out, ow.o)
//   pad.compute_inline()
//   pad.compute_root()
//   conv.cache_write(local) -> conv.local
//   data.cache_read(local, conv, out) -> data.local
//   conv.rfactor(ic.o, 0) -> conv.rf
//   conv.set_scope(local)
//   conv.storage_align(oh, 16, 4)
//   conv.double_buffer()
//   conv.rolling_buffer()
//   conv.transform_layout(n, oc/8, oh, ow, oc%8)
//   out.bind(n.oc.f, blockIdx.x)
//   out.pragma(ow.i, auto_unroll_max_step, 16)
//
// Names are made of [A-Za-z0-9_.], to which the last one adds `/` and `%`; the
// primitive is what stands after the last dot before the bracket.
#ifndef ASSAY_COMPILER_SCHEDULE_STEPS_H_
#define ASSAY_COMPILER_SCHEDULE_STEPS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/expr/expr.h"

namespace assay::schedule {

// What a split whose factor does not divide the extent does with the last,
// incomplete tile: leave out the iterations beyond the end with an `if`, or
// shift the tile back so that it ends where the axis ends and computes some
// elements a second time.
enum class Tail : uint8_t { kGuard, kShift };

// Result names left empty are filled in when the step is applied.
struct Split {
  std::string stage, axis;
  int64_t factor = 0;
  Tail tail = Tail::kGuard;
  std::string outer, inner;
};

// Into `parts` outer iterations, or fewer where they would have nothing to do.
struct SplitParts {
  std::string stage, axis;
  int64_t parts = 0;
  Tail tail = Tail::kGuard;
  std::string outer, inner;
};

struct Fuse {
  std::string stage, outer, inner;
  std::string fused;
};

struct Reorder {
  std::string stage;
  std::vector<std::string> axes;
};

struct Vectorize {
  std::string stage, axis;
};

struct Unroll {
  std::string stage, axis;
};

struct Parallel {
  std::string stage, axis;
};

struct Bind {
  std::string stage, axis, tag;
};

struct Pragma {
  std::string stage, axis, key;
  int64_t value = 0;
};

struct ComputeAt {
  std::string stage, consumer, axis;
};

struct ComputeInline {
  std::string stage;
};

struct ComputeRoot {
  std::string stage;
};

// `stage` names a stage or a placeholder.
struct CacheRead {
  std::string stage;
  expr::Scope scope = expr::Scope::kLocal;
  std::vector<std::string> readers;
  std::string cache;
};

struct CacheWrite {
  std::string stage;
  expr::Scope scope = expr::Scope::kLocal;
  std::string cache;
};

struct RFactor {
  std::string stage, axis;
  int64_t position = 0;  // of the new dimension
  std::string factored;
};

struct SetScope {
  std::string stage;
  expr::Scope scope = expr::Scope::kLocal;
};

struct StorageAlign {
  std::string stage, axis;
  int64_t factor = 0, offset = 0;
};

struct DoubleBuffer {
  std::string stage;
};

struct RollingBuffer {
  std::string stage;
};

// A dimension of a buffer made of an axis: `oc`, or where there is a factor,
// its quotient `oc/8` or its remainder `oc%8`.
struct LayoutPart {
  std::string axis;
  int64_t factor = 0;
  bool remainder = false;
};

struct TransformLayout {
  std::string stage;
  std::vector<LayoutPart> parts;
};

using Step =
    std::variant<Split, Fuse, Reorder, Vectorize, Unroll, Parallel, Bind,
                 Pragma, ComputeAt, ComputeInline, CacheWrite, RFactor,
                 SetScope, SplitParts, ComputeRoot, CacheRead, StorageAlign,
                 DoubleBuffer, RollingBuffer, TransformLayout>;

// The stage that the step works on.
const std::string& StageOf(const Step& step);

// One line, without the line end.
std::string ToString(const Step& step);

// One step per line; empty lines and lines that start with `#` are skipped.
// The error names line number and what is wrong with it.
absl::StatusOr<std::vector<Step>> ParseSteps(absl::string_view text);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STEPS_H_
