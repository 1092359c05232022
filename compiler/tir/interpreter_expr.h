// Expressions compiled to trees of evaluators: names are resolved to slots of a
// Frame, and types and operators to code. Private to tir/interpreter.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_EXPR_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_EXPR_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/interpreter_memory.h"

namespace assay::tir {

// A vector is evaluated one lane at a time, so that for each lane only the
// selected arm of a Select is evaluated.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual Scalar Eval(Frame& frame, int lane) const = 0;
};
using EvaluatorRef = std::shared_ptr<const Evaluator>;

// Frame slots of variables and buffers.
struct Slots {
  std::map<const expr::Counted*, int> vars, buffers;
};

EvaluatorRef CompileExpr(const expr::Expr& e, const Slots& slots);

// The element selected by indices in a buffer. Eval returns -1 and marks the
// frame as failed if an index is out of bounds.
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
