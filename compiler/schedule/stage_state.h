// StageState: the complete description of how an operation of a schedule is
// computed, as data. Primitives (stage.h) modify it, lowering reads it.
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

// A future loop of a stage, with a name that is unique in the stage. The extent
// is that of the whole tensor: if the stage is computed at an axis of another
// one, its loops iterate over the required region only and may be shorter.
struct Axis {
  std::string name;
  int64_t extent = 0;
  AxisKind kind = AxisKind::kData;
  expr::Expr var;
};

enum class LoopKind : uint8_t { kSerial, kParallel, kVectorized, kUnrolled };

// Tag of a loop whose iterations are interleaved (a virtual thread); other tags
// are GPU thread indices.
inline constexpr char kVirtualThread[] = "vthread";

struct LoopPragma {
  std::string key;
  int64_t value = 0;
};

// Iteration i of a loop prefetches what iteration i + offset reads of a tensor.
struct LoopPrefetch {
  te::Tensor tensor;
  int64_t offset = 0;
};

// An axis that has not been split or fused, and the annotations of its loop.
struct Leaf {
  Axis axis;
  LoopKind kind = LoopKind::kSerial;
  std::string bind_tag;
  std::vector<LoopPragma> pragmas;
  std::vector<LoopPrefetch> prefetches;
};

// parent = outer * factor + inner. Either the factor is given, or the number of
// outer iterations (`parts`); the other one is 0.
struct SplitRelation {
  Axis parent, outer, inner;
  int64_t factor = 0, parts = 0;
  Tail tail = Tail::kGuardWithIf;
};

// fused = outer * extent(inner) + inner.
struct FuseRelation {
  Axis outer, inner, fused;
};

using Relation = std::variant<SplitRelation, FuseRelation>;

struct ThreadValue {
  std::string thread;
  int64_t value = 0;
};

// Storage of a stage that is computed at a loop: a new buffer in each
// iteration; two halves, one for the current and one for the next iteration,
// which is computed ahead; or one buffer that keeps the overlap of consecutive
// iterations.
enum class Buffering : uint8_t { kPlain, kDouble, kRolling };

// The stride of the buffer along `dimension` is `offset` more than a multiple
// of `factor`.
struct Alignment {
  int dimension = 0;
  int64_t factor = 1, offset = 0;
};

// A dimension of the buffer: a dimension of the tensor, or its quotient or
// remainder by `factor`.
struct LayoutDim {
  enum class Part : uint8_t { kWhole, kOuter, kInner };
  int dimension = 0;
  Part part = Part::kWhole;
  int64_t factor = 0;
};

// At the root of the kernel, inside of a loop of another stage, or inlined into
// all readers.
enum class Placement : uint8_t { kRoot, kAt, kInline };

// The bodies of a reader before and after a stage was inlined into it.
struct InlinedInto {
  Stage* reader = nullptr;
  std::vector<expr::Expr> before, after;
};

struct StageState {
  std::string name;  // name of the operation, unique in the schedule
  // The outputs of one operation. They have the same shape, except for an
  // extern.
  std::vector<te::Tensor> tensors;
  // The values of the outputs in terms of tensor()->axes: the tensors' own
  // bodies unless compute_inline of a producer or cache_write changed them.
  // Empty for an extern, which has no axes either.
  std::vector<expr::Expr> bodies;
  bool is_output = false;  // true if one of the tensors is an output
  expr::Scope scope = expr::Scope::kGlobal;
  // If set, replaces the loops from leaf `intrin_axis` inwards.
  std::shared_ptr<const te::TensorIntrin> intrin;
  std::string intrin_axis;
  // For GPU targets: the threads that execute the stage, and the thread indices
  // that store (all threads if empty).
  std::vector<std::string> env_threads;
  std::vector<ThreadValue> store_predicates;
  Buffering buffering = Buffering::kPlain;
  std::vector<Alignment> alignments;
  std::vector<LayoutDim> layout;  // empty: the dimensions of the tensor
  // The variables of the body with their original axes.
  std::vector<Axis> data_axes, reduce_axes;
  std::vector<Leaf> leaves;
  std::vector<Relation> relations;  // in order of creation
  Placement placement = Placement::kRoot;
  const Stage* attach_stage = nullptr;  // if kAt, with attach_axis
  std::string attach_axis;
  // If kInline: the bodies it was inlined into.
  std::vector<InlinedInto> inlined_into;

  const te::Tensor& tensor() const { return tensors[0]; }
  // The reduction of which the bodies are the components, or nullptr.
  const expr::Reduce* reduce() const {
    return bodies.empty() ? nullptr : bodies[0].As<expr::Reduce>();
  }
  // The distinct tensors that the bodies read.
  std::vector<te::Tensor> reads() const;
  bool is_extern() const { return tensor().is_extern(); }
  // The first leaf of a scan is its time loop, which is serial. Stages that
  // depend on the state are computed inside of it (compiler/te/scan.h).
  bool is_scan() const { return tensor().is_scan(); }
  bool is_reduction() const { return !reduce_axes.empty(); }
  // The name of `tensors[i]`: `best.1`, or the name of the stage if there is
  // only one.
  std::string TensorName(int i) const;
  // The index of the leaf, or -1.
  int LeafIndex(absl::string_view axis_name) const;
  // The index of the outermost leaf that an intrinsic replaces, or the number
  // of leaves.
  int IntrinPosition() const;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STAGE_STATE_H_
