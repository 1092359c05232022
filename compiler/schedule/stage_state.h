// StageState: the complete data of a Stage (stage.h). It describes how one
// operation of a schedule is computed. Schedule primitives modify it, and
// lowering reads it.
#ifndef ASSAY_COMPILER_SCHEDULE_STAGE_STATE_H_
#define ASSAY_COMPILER_SCHEDULE_STAGE_STATE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/expr/expr.h"
#include "compiler/schedule/steps.h"
#include "compiler/te/tensor.h"
#include "compiler/te/tensor_intrin.h"

namespace assay::schedule {

class Stage;

enum class AxisKind : uint8_t { kData, kReduce };

// An axis becomes a loop of a stage if it is a leaf when the schedule is
// lowered. Its name is unique in the stage. `extent` is the number of
// iterations that are needed for the whole tensor. If the stage is computed at
// an axis of another stage, the loop covers only the required region and may be
// shorter.
struct Axis {
  std::string name;
  int64_t extent = 0;
  AxisKind kind = AxisKind::kData;
  expr::Expr var;
};

enum class LoopKind : uint8_t { kSerial, kParallel, kVectorized, kUnrolled };

// Tag of a loop whose iterations are virtual threads: the iterations are
// interleaved (compiler/lower/virtual_threads.h). All other tags are GPU thread
// indices.
inline constexpr char kVirtualThread[] = "vthread";

struct LoopPragma {
  std::string key;
  int64_t value = 0;
};

// Iteration i of a loop prefetches the elements of `tensor` that iteration
// i + offset reads.
struct LoopPrefetch {
  te::Tensor tensor;
  int64_t offset = 0;
};

// An axis that has not been split or fused, with the annotations of its loop.
struct Leaf {
  Axis axis;
  LoopKind kind = LoopKind::kSerial;
  std::string bind_tag;
  std::vector<LoopPragma> pragmas;
  std::vector<LoopPrefetch> prefetches;
};

// A split of `parent` into `outer` and `inner`: parent = outer * f + inner. If
// the split was specified by its factor, f is `factor`, and `parts` is 0. If it
// was specified by the number of outer iterations, `parts` is that number,
// `factor` is 0, and f is the extent of `parent` divided by `parts`, rounded
// up.
struct SplitRelation {
  Axis parent, outer, inner;
  int64_t factor = 0, parts = 0;
  Tail tail = Tail::kGuardWithIf;
};

// A fusion of `outer` and `inner`: fused = outer * extent(inner) + inner.
struct FuseRelation {
  Axis outer, inner, fused;
};

using Relation = std::variant<SplitRelation, FuseRelation>;

struct ThreadValue {
  std::string thread;
  int64_t value = 0;
};

// The stride of the buffer along `dimension` is `k * factor + offset` for an
// integer k.
struct Alignment {
  int dimension = 0;
  int64_t factor = 1, offset = 0;
};

// A dimension of the buffer. Its index is computed from the index i of
// dimension `dimension` of the tensor: `i` (kWhole), `i / factor` (kOuter) or
// `i % factor` (kInner).
struct LayoutDim {
  enum class Part : uint8_t { kWhole, kOuter, kInner };
  int dimension = 0;
  Part part = Part::kWhole;
  int64_t factor = 0;
};

// Where a stage is computed: at the root of the kernel (kRoot), inside a loop
// of another stage (kAt), or inlined into all readers (kInline).
enum class Placement : uint8_t { kRoot, kAt, kInline };

struct StageState {
  std::string name;  // name of the operation, unique in the schedule
  // The outputs of the operation. They have equal shapes, unless the operation
  // is an extern.
  std::vector<te::Tensor> tensors;
  // The values of the outputs, as expressions of tensor()->axes. Initially they
  // are the bodies of the tensors. The primitives cache_read, cache_write,
  // rfactor and compute_inline (of a producer) change them. Empty for an
  // extern, which has no axes.
  std::vector<expr::Expr> bodies;
  bool is_output = false;  // true if one of the tensors is an output
  expr::Scope scope = expr::Scope::kGlobal;
  // If set, the intrinsic replaces the loop of leaf `intrin_axis` and all loops
  // inside it.
  std::shared_ptr<const te::TensorIntrin> intrin;
  std::string intrin_axis;
  // For GPU targets. `env_threads` are the tags of the threads that execute the
  // stage. `store_predicates` restricts stores to the threads with the listed
  // indices; if it is empty, all threads store.
  std::vector<std::string> env_threads;
  std::vector<ThreadValue> store_predicates;
  // True if the buffer of a stage that is computed at a loop has two halves:
  // each iteration uses one half, and fills the other one for the next
  // iteration. If false, each iteration has a new buffer.
  bool has_double_buffer = false;
  std::vector<Alignment> alignments;
  // The dimensions of the buffer, outermost first. If empty, they are the
  // dimensions of the tensor.
  std::vector<LayoutDim> layout;
  // The original axes: one per dimension of the tensor, and one per reduce axis
  // of the bodies.
  std::vector<Axis> data_axes, reduce_axes;
  std::vector<Leaf> leaves;
  std::vector<Relation> relations;  // in order of creation
  Placement placement = Placement::kRoot;
  // If `placement` is kAt, this stage is computed inside the loop of the leaf
  // called `attach_axis` of `attach_stage`.
  const Stage* attach_stage = nullptr;
  std::string attach_axis;

  const te::Tensor& tensor() const { return tensors[0]; }
  // Returns the reduction whose components are the bodies, or nullptr if the
  // stage has no reduction.
  const expr::Reduce* reduce() const {
    return bodies.empty() ? nullptr : bodies[0].As<expr::Reduce>();
  }
  // Returns the distinct tensors that the stage reads.
  std::vector<te::Tensor> reads() const;
  bool is_extern() const { return tensor().is_extern(); }
  bool is_reduction() const { return !reduce_axes.empty(); }
  // Returns the name of `tensors[i]`: the name of the stage if there is only
  // one tensor, otherwise a name such as `best.1`, where `best` is the stage.
  std::string TensorName(int i) const;
  // Returns the index of the leaf called `axis_name`, or -1 if there is none.
  int LeafIndex(absl::string_view axis_name) const;
  // Returns the index of the outermost leaf that the intrinsic replaces.
  // Without an intrinsic, returns the number of leaves.
  int IntrinPosition() const;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STAGE_STATE_H_
