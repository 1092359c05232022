// Accesses: where the tensors of a schedule are in memory, and how stages read
// and write them: a body's reads become loads of buffers, its variables the
// loops they stand for.
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

// The buffers of placeholders and outputs, by tensor.
using BufferMap = std::map<const expr::Counted*, expr::Buffer>;

// What an intrinsic that takes the place of loops is given.
struct PlacedIntrin {
  te::IntrinOperand output;
  std::vector<te::IntrinOperand> inputs;
};

// The position of the outermost reduce leaf of a reduction.
int FirstReduceLeaf(const schedule::StageState& stage);

class Accesses {
 public:
  // All three must outlive it.
  Accesses(const schedule::Schedule& schedule, const ScheduleBounds& bounds,
           const BufferMap& parameters);

  // nullptr for an input or output, whose buffer is a parameter.
  const Storage* StorageOf(const te::Tensor& tensor) const;
  // The buffers that the stage's tensors are kept in but for outputs.
  std::vector<expr::Buffer> BuffersOf(const schedule::Stage& stage) const;
  // The same for all tensors of a stage.
  schedule::Buffering BufferingOf(const schedule::Stage& stage) const;

  // The buffer that holds the tensor, and the indices of what is at `offsets`
  // in the region of its stage.
  const expr::Buffer& BufferOf(const te::Tensor& tensor) const;
  std::vector<expr::Expr> IndicesOf(const te::Tensor& tensor,
                                    std::vector<expr::Expr> offsets) const;

  // The stage's body, or a part of it, in terms of its loops.
  expr::Expr BodyOf(const schedule::Stage& stage, const expr::Expr& body) const;

  // The statements of an extern stage.
  tir::Stmt ExternOf(const schedule::Stage& stage) const;

  // Asks for what this iteration of the loop reads.
  tir::Stmt PrefetchOf(const PrefetchBounds& prefetch,
                       const expr::Expr& iteration) const;

  // The operands of the stage's intrinsic, or why it does not fit.
  absl::StatusOr<PlacedIntrin> PlaceIntrin(const schedule::Stage& stage) const;

 private:
  friend class ReadLowerer;

  const schedule::Schedule& schedule_;
  const ScheduleBounds& bounds_;
  const BufferMap& parameters_;
  // The result of the scan for its state.
  te::Tensor Resolve(const te::Tensor& tensor) const;

  std::map<const te::TensorOp*, Storage> storage_;
};

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_ACCESSES_H_
