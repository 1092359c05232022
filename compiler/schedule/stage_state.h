// StageState: all there is to know of how an operation of a schedule is
// computed, as data. Primitives (stage.h) change it, lowering reads it.
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

// A loop-to-be of one stage. Its name is unique in the stage. The extent is
// that of the whole tensor: where the stage is computed at an axis of another
// one, its loops run over the part needed there and can be shorter.
struct Axis {
  std::string name;
  int64_t extent = 0;
  AxisKind kind = AxisKind::kData;
  expr::Expr var;
};

enum class LoopKind : uint8_t { kSerial, kParallel, kVectorized, kUnrolled };

// The tag of a loop whose iterations are interleaved; other tags are indices
// of a GPU's threads.
inline constexpr char kVirtualThread[] = "vthread";

struct LoopPragma {
  std::string key;
  int64_t value = 0;
};

// What iteration i + offset of a loop reads of a tensor is asked for in
// iteration i.
struct LoopPrefetch {
  te::Tensor tensor;
  int64_t offset = 0;
};

// An axis that has not been split or fused, and what its loop is to be.
struct Leaf {
  Axis axis;
  LoopKind kind = LoopKind::kSerial;
  std::string bind_tag;
  std::vector<LoopPragma> pragmas;
  std::vector<LoopPrefetch> prefetches;
};

// parent = outer * factor + inner, where the factor is given or what makes
// `parts` outer iterations of the extent; the other one is 0.
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

// How the buffer of a stage that is computed at a loop serves its iterations:
// anew in each; with one half for this and one for the next iteration, which is
// loaded ahead; or keeping what two iterations have in common.
enum class Buffering : uint8_t { kPlain, kDouble, kRolling };

// The buffer's stride along `dimension` is a multiple of `factor`, plus
// `offset`.
struct Alignment {
  int dimension = 0;
  int64_t factor = 1, offset = 0;
};

// A dimension of the buffer: one of the tensor, its quotient or its remainder
// by `factor`.
struct LayoutDim {
  enum class Part : uint8_t { kWhole, kOuter, kInner };
  int dimension = 0;
  Part part = Part::kWhole;
  int64_t factor = 0;
};

// At the root of the kernel, inside a loop of another stage, or nowhere because
// the body was put in place of every read of it.
enum class Placement : uint8_t { kRoot, kAt, kInline };

// The bodies of a reader before and after a stage was inlined into it.
struct InlinedInto {
  Stage* reader = nullptr;
  std::vector<expr::Expr> before, after;
};

struct StageState {
  std::string name;  // the operation's, made unique in the schedule
  // The outputs of one operation. They have one shape, unless it is an extern.
  std::vector<te::Tensor> tensors;
  // What is computed of each, in terms of tensor()->axes: the tensor's own body
  // until compute_inline of a producer or cache_write changed it. None for an
  // extern, which has no axes either.
  std::vector<expr::Expr> bodies;
  bool is_output = false;  // one of the tensors is
  expr::Scope scope = expr::Scope::kGlobal;
  // Written in place of the loops from this leaf inwards, if there is one.
  std::shared_ptr<const te::TensorIntrin> intrin;
  std::string intrin_axis;
  // For targets with thread indices: those that the stage runs on, and those
  // that store, all if empty.
  std::vector<std::string> env_threads;
  std::vector<ThreadValue> store_predicates;
  Buffering buffering = Buffering::kPlain;
  std::vector<Alignment> alignments;
  std::vector<LayoutDim> layout;  // empty: the dimensions of the tensor
  // The variables that the body uses, and their axes before any primitive.
  std::vector<Axis> data_axes, reduce_axes;
  std::vector<Leaf> leaves;
  std::vector<Relation> relations;  // in the order they were made
  Placement placement = Placement::kRoot;
  const Stage* attach_stage = nullptr;  // for kAt, with the leaf's name
  std::string attach_axis;
  // For kInline: what it was put into.
  std::vector<InlinedInto> inlined_into;

  const te::Tensor& tensor() const { return tensors[0]; }
  // The reduction whose values the bodies are, or nullptr.
  const expr::Reduce* reduce() const {
    return bodies.empty() ? nullptr : bodies[0].As<expr::Reduce>();
  }
  // What it reads, each once.
  std::vector<te::Tensor> reads() const;
  bool is_extern() const { return tensor().is_extern(); }
  // Its first leaf is the time, whose iterations run in order; what depends on
  // the state is computed inside of it (compiler/te/scan.h).
  bool is_scan() const { return tensor().is_scan(); }
  bool is_reduction() const { return !reduce_axes.empty(); }
  // What `tensors[i]` is called: `best.1`, or the stage's name if there is one.
  std::string TensorName(int i) const;
  // The position among the leaves, or -1.
  int LeafIndex(absl::string_view axis_name) const;
  // The position of the outermost leaf that an intrinsic takes the place of, or
  // the number of leaves.
  int IntrinPosition() const;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STAGE_STATE_H_
