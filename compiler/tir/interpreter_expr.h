// Expressions resolved for running: names became slots of a Frame, types and
// operators became code. Private to tir/interpreter.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_EXPR_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_EXPR_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/interpreter_memory.h"

namespace assay::tir {

// A vector is evaluated one lane at a time, which is what gives a Select its
// meaning: the arm that a lane does not take is not evaluated for it.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual Scalar Eval(Frame& frame, int lane) const = 0;
};
using EvaluatorRef = std::shared_ptr<const Evaluator>;

// Where variables and buffers live in the Frame.
struct Slots {
  std::map<const expr::Counted*, int> vars, buffers;
};

EvaluatorRef CompileExpr(const expr::Expr& e, const Slots& slots);

// The element that indices select in a buffer; on an index out of bounds the
// frame fails and the result is -1.
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
