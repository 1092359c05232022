// Accesses: holds the storage of the tensors of a schedule, and translates the
// bodies of stages. (The body of a stage is the expression of its elements.) In
// the translation, reads of tensors become loads from buffers, and axis
// variables become expressions of the loop variables.
#ifndef ASSAY_COMPILER_LOWER_ACCESSES_H_
#define ASSAY_COMPILER_LOWER_ACCESSES_H_

#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/expr/expr.h"
#include "compiler/lower/bound_inference.h"
#include "compiler/lower/storage.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/tensor_intrin.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// Maps placeholders and outputs to their buffers.
using BufferMap = std::map<const expr::Counted*, expr::Buffer>;

// The operands of an intrinsic that replaces loops.
struct PlacedIntrin {
  te::IntrinOperand output;
  std::vector<te::IntrinOperand> inputs;
};

// Returns the index in `stage.leaves` of the outermost reduction loop. `stage`
// must be a reduction.
int FirstReduceLeaf(const schedule::StageState& stage);

class Accesses {
 public:
  // All three arguments must outlive this object.
  Accesses(const schedule::Schedule& schedule, const ScheduleBounds& bounds,
           const BufferMap& parameters);

  // Returns the storage of a tensor, or nullptr for inputs and outputs, whose
  // buffers are parameters.
  const Storage* StorageOf(const te::Tensor& tensor) const;
  // Returns the buffers of the tensors of the stage, without the tensors that
  // are outputs of the schedule.
  std::vector<expr::Buffer> BuffersOf(const schedule::Stage& stage) const;
  // Returns true if the stage has a double buffer.
  bool HasDoubleBuffer(const schedule::Stage& stage) const;

  // BufferOf returns the buffer of the tensor. IndicesOf returns the indices of
  // an element in this buffer. `offsets` is the position of the element. If a
  // stage computes the tensor, this position is relative to the start of the
  // region that the stage computes (bound_inference.h).
  const expr::Buffer& BufferOf(const te::Tensor& tensor) const;
  std::vector<expr::Expr> IndicesOf(const te::Tensor& tensor,
                                    std::vector<expr::Expr> offsets) const;

  // Translates `body`, which is the body of the stage or a part of it, to loads
  // and expressions of the loop variables.
  expr::Expr BodyOf(const schedule::Stage& stage, const expr::Expr& body) const;

  // Returns the statements of an extern stage. Accesses to the buffers that its
  // ExternBody declares (te/tensor.h) are replaced by accesses to the buffers
  // of the corresponding tensors (BufferOf).
  tir::Stmt ExternOf(const schedule::Stage& stage) const;

  // Returns a statement that prefetches the data that one iteration of a loop
  // reads. `prefetch` specifies the loop and the region of the data.
  // `iteration` is the value of the loop variable in this iteration.
  tir::Stmt PrefetchOf(const PrefetchBounds& prefetch,
                       const expr::Expr& iteration) const;

  // Returns the operands of the intrinsic of the stage. Returns InvalidArgument
  // if the intrinsic does not fit the loops or the buffers.
  absl::StatusOr<PlacedIntrin> PlaceIntrin(const schedule::Stage& stage) const;

 private:
  friend class ReadLowerer;

  const schedule::Schedule& schedule_;
  const ScheduleBounds& bounds_;
  const BufferMap& parameters_;

  std::map<const te::TensorOp*, Storage> storage_;
};

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_ACCESSES_H_
