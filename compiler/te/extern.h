// Extern: an operation whose body is an explicit loop nest, for computations
// that are not an expression of the output indices, such as sorting, selection
// and non-maximum suppression.
//
//   Extern e("argsort");
//   Array x = e.Input(tensor);                       // float32[rows, n]
//   Array order = e.Output(DType::Int32(), {rows, n});
//   e.Parallel("row", rows, [&](const Expr& row) {
//     Array best = e.Local(DType::Int32(), {1}, "best");
//     best.Set({0}, 0);
//     e.For("i", 1, n - 1, [&](const Expr& i) {
//       e.If(x(row, best(0)) < x(row, i), [&] { best.Set({0}, i); });
//     });
//     …
//   });
//   std::vector<Tensor> outputs = e.Build();
//
// The callbacks of loops and conditions are called exactly once, immediately,
// and append statements to the current block. The statements are those of loop
// programs (compiler/docs/tir.md) and follow the same rules: every element of
// an output is written, iterations of a parallel loop are independent, no index
// is out of bounds, and `&&` and `||` evaluate both operands; only loads in the
// arm of a Select that is not taken are not executed. Arrays are addressed with
// one index per dimension, whatever their layout in the schedule is.
//
// In a schedule an Extern is a stage without axes that is computed at root. Its
// inputs are computed at root before it and cannot be inlined into it.
#ifndef ASSAY_COMPILER_TE_EXTERN_H_
#define ASSAY_COMPILER_TE_EXTERN_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/te/tensor.h"
#include "compiler/tir/stmt.h"

namespace assay::te {

class Extern;

// Memory that an Extern reads or writes; copies refer to the same memory.
class Array {
 public:
  Array() = default;

  const Shape& shape() const { return buffer_->shape; }
  DType dtype() const { return buffer_->dtype; }

  // The element at `indices`, with the value it has when the enclosing
  // statement executes.
  Expr operator()(std::vector<Expr> indices) const;
  template <typename... Index>
  Expr operator()(Expr first, Index... rest) const {
    return (*this)(std::vector<Expr>{first, rest...});
  }
  // Emits a statement that stores `value`. Not allowed for inputs.
  void Set(std::vector<Expr> indices, Expr value) const;

 private:
  friend class Extern;
  Array(Extern* owner, expr::Buffer buffer)
      : owner_(owner), buffer_(std::move(buffer)) {}

  Extern* owner_ = nullptr;
  expr::Buffer buffer_;
};

class Extern {
 public:
  using Block = std::function<void()>;
  using LoopBody = std::function<void(const Expr& var)>;

  explicit Extern(std::string name);
  Extern(const Extern&) = delete;
  Extern& operator=(const Extern&) = delete;

  Array Input(const Tensor& tensor);
  Array Output(DType dtype, Shape shape);

  // Uninitialized memory, live until the end of the current block. Scratch
  // memory is global to the kernel; Local memory is small and private to one
  // thread (registers or stack).
  Array Scratch(DType dtype, Shape shape, std::string name);
  Array Local(DType dtype, Shape shape, std::string name);

  // Loops with `extent` iterations starting at `min`: sequential; in any order
  // on the threads of the pool; fully unrolled (the extent is a constant).
  void For(std::string var, Expr min, Expr extent, const LoopBody& body);
  void Parallel(std::string var, Expr extent, const LoopBody& body);
  void Unrolled(std::string var, Expr extent, const LoopBody& body);
  // Repeats the body while the condition, which is evaluated before each
  // iteration, holds, for at most `most` iterations.
  void While(int64_t most, const std::function<Expr()>& condition,
             const Block& body);
  void If(Expr condition, const Block& then_block,
          const Block& else_block = nullptr);

  // The outputs in order of creation, named `name.0`, `name.1`, …, or `name` if
  // there is only one. Must be the last call, and called once.
  std::vector<Tensor> Build();

 private:
  friend class Array;

  // A statement, or an allocation that is live for the rest of the block.
  struct Item {
    tir::Stmt stmt;
    expr::Buffer allocated;
  };
  Array Allocated(DType dtype, Shape shape, std::string name,
                  expr::Scope scope);
  tir::Stmt Collected(const Block& block);
  void Loop(std::string var, Expr min, Expr extent, tir::ForKind kind,
            const LoopBody& body);

  std::string name_;
  std::vector<Tensor> inputs_;
  std::vector<expr::Buffer> input_buffers_, output_buffers_;
  std::vector<std::vector<Item>> blocks_;  // stack of open blocks
};

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_EXTERN_H_
