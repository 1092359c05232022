// Accesses: the storage of the tensors of a schedule, and the translation of
// stage bodies to it: reads become loads of buffers, and axis variables become
// expressions of the loop variables.
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

// The buffers of placeholders and outputs, indexed by tensor.
using BufferMap = std::map<const expr::Counted*, expr::Buffer>;

// Operands of an intrinsic that replaces loops.
struct PlacedIntrin {
  te::IntrinOperand output;
  std::vector<te::IntrinOperand> inputs;
};

// The index of the outermost reduce leaf of a reduction.
int FirstReduceLeaf(const schedule::StageState& stage);

class Accesses {
 public:
  // References to all three arguments are kept.
  Accesses(const schedule::Schedule& schedule, const ScheduleBounds& bounds,
           const BufferMap& parameters);

  // Returns nullptr for inputs and outputs, whose buffers are parameters.
  const Storage* StorageOf(const te::Tensor& tensor) const;
  // The buffers of the stage's tensors, except for outputs.
  std::vector<expr::Buffer> BuffersOf(const schedule::Stage& stage) const;
  // The buffering of a stage, which is the same for all its tensors.
  schedule::Buffering BufferingOf(const schedule::Stage& stage) const;

  // The buffer of the tensor, and the buffer indices of the element at
  // `offsets` in the region of its stage.
  const expr::Buffer& BufferOf(const te::Tensor& tensor) const;
  std::vector<expr::Expr> IndicesOf(const te::Tensor& tensor,
                                    std::vector<expr::Expr> offsets) const;

  // The body of the stage, or a part of it, in terms of its loop variables.
  expr::Expr BodyOf(const schedule::Stage& stage, const expr::Expr& body) const;

  // The statements of an extern stage.
  tir::Stmt ExternOf(const schedule::Stage& stage) const;

  // Prefetches what one iteration of the loop reads.
  tir::Stmt PrefetchOf(const PrefetchBounds& prefetch,
                       const expr::Expr& iteration) const;

  // The operands of the stage's intrinsic; an error if it does not fit the
  // buffers.
  absl::StatusOr<PlacedIntrin> PlaceIntrin(const schedule::Stage& stage) const;

 private:
  friend class ReadLowerer;

  const schedule::Schedule& schedule_;
  const ScheduleBounds& bounds_;
  const BufferMap& parameters_;
  // Maps the state of a scan to the scan's result.
  te::Tensor Resolve(const te::Tensor& tensor) const;

  std::map<const te::TensorOp*, Storage> storage_;
};

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_ACCESSES_H_
