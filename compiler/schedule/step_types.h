// Arguments of the schedule primitives: one struct per alternative of
// schedule::Step (steps.h, which also defines the text form of each step).
//
// Stages and axes are identified by name, so that steps can be stored and
// replayed. If the name of a result (such as Split::outer) is empty when the
// step is applied, a default name is used. compiler/docs/schedule.md defines
// the meaning of each step and when it is illegal.
#ifndef ASSAY_COMPILER_SCHEDULE_STEP_TYPES_H_
#define ASSAY_COMPILER_SCHEDULE_STEP_TYPES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::schedule {

// Tail strategy of a split whose factor does not divide the extent (Halide's
// TailStrategy):
//   - kGuardWithIf: an `if` excludes the iterations beyond the end of the axis.
//   - kShiftInwards: the last tile is shifted inwards so that it ends at the
//     end of the axis. Some elements are then computed twice.
enum class Tail : uint8_t { kGuardWithIf, kShiftInwards };

struct Split {
  std::string stage, axis;
  int64_t factor = 0;
  Tail tail = Tail::kGuardWithIf;
  std::string outer, inner;
};

// Splits `axis` into `parts` outer iterations. Outer iterations at the end that
// would be empty are omitted.
struct SplitParts {
  std::string stage, axis;
  int64_t parts = 0;
  Tail tail = Tail::kGuardWithIf;
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

struct EnvThreads {
  std::string stage;
  std::vector<std::string> tags;
};

// `thread` is a GPU thread tag such as `threadIdx.x`. If several threads
// compute the same element, it is stored only by the thread for which the index
// that `thread` names is equal to `value`.
struct StorePredicate {
  std::string stage, thread;
  int64_t value = 0;
};

// `tensor` is the name of a placeholder or of an output of a stage.
struct Prefetch {
  std::string stage, tensor, axis;
  int64_t offset = 0;  // in iterations of the axis
};

// `intrin` is the name of an intrinsic that was added with Schedule::AddIntrin
// or Stage::Tensorize.
struct Tensorize {
  std::string stage, axis, intrin;
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

// `stage` is the name of a placeholder or of an output of a stage. `readers`
// are names of stages.
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
  int64_t position = 0;  // index of the new dimension
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

// A dimension of a buffer. If `factor` is 0, it is the whole axis (`oc`).
// Otherwise it is the remainder (`oc%8`) or the quotient (`oc/8`) of the axis
// by the factor.
struct LayoutPart {
  std::string axis;
  int64_t factor = 0;
  bool remainder = false;
};

struct TransformLayout {
  std::string stage;
  std::vector<LayoutPart> parts;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STEP_TYPES_H_
