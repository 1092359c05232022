// CompileExpr: compiles an expression to a tree of evaluators. Compilation
// resolves variables and buffers to slots of a Frame, and selects the code for
// each operator and type. Private to tir/interpreter.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_EXPR_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_EXPR_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/interpreter_memory.h"

namespace assay::tir {

// Evaluator: computes one lane of an expression. Vectors are evaluated lane by
// lane, so that only the selected arm of a Select is evaluated for each lane.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual Scalar Eval(Frame& frame, int lane) const = 0;
};
using EvaluatorRef = std::shared_ptr<const Evaluator>;

// Maps variables to indices in Frame::vars, and buffers to indices in
// Frame::buffers.
struct Slots {
  std::map<const expr::Counted*, int> vars, buffers;
};

EvaluatorRef CompileExpr(const expr::Expr& e, const Slots& slots);

// Address: computes the position of an accessed element in a buffer. Eval
// returns the index of the element in the flat buffer. If an index is out of
// bounds, Eval records an error in the frame. Eval returns -1 if the frame has
// an error. `access` is "load" or "store"; it is used in the error message.
class Address {
 public:
  Address(const expr::Buffer& buffer, const std::vector<expr::Expr>& indices,
          const Slots& slots);
  int64_t Eval(Frame& frame, int lane, const char* access) const;
  int buffer() const { return buffer_; }

 private:
  int buffer_;
  std::string name_;
  Shape shape_, strides_;
  std::vector<EvaluatorRef> indices_;
};

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_EXPR_H_
