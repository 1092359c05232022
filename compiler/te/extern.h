// Extern: an operation whose body is an explicit loop nest, for what no
// expression of the indices says: sorting, selecting, suppressing.
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
// The functions given to loops and conditions are called once, at once, and add
// statements where they stand. Statements are those of loop programs
// (compiler/docs/tir.md), whose rules hold: every element of an output is
// written, iterations of a parallel loop are independent, no index leaves its
// array, `&&` and `||` compute both sides and only the arm of a Select that is
// not taken loads nothing. Arrays are addressed by one index per dimension
// wherever the schedule keeps them.
//
// In a schedule an Extern is a stage without axes, computed at the root. What
// it reads is computed at the root before, and cannot be inlined into it.
#ifndef ASSAY_COMPILER_TE_EXTERN_H_
#define ASSAY_COMPILER_TE_EXTERN_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/te/tensor.h"
#include "compiler/tir/stmt.h"

namespace assay::te {

class Extern;

// Memory that an Extern reads or writes. A copy is the same memory.
class Array {
 public:
  Array() = default;

  const Shape& shape() const { return buffer_->shape; }
  DType dtype() const { return buffer_->dtype; }

  // The element at `indices`, as it is when the statement is done that this is
  // part of.
  Expr operator()(std::vector<Expr> indices) const;
  template <typename... Index>
  Expr operator()(Expr first, Index... rest) const {
    return (*this)(std::vector<Expr>{first, rest...});
  }
  // A statement: the element becomes `value`. Not for inputs.
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

  // Memory until the end of the block that this is called in, not initialised:
  // of the kernel, or small and of one thread (registers or stack).
  Array Scratch(DType dtype, Shape shape, std::string name);
  Array Local(DType dtype, Shape shape, std::string name);

  // `extent` iterations from `min` on, in order; any order, on the threads of
  // the pool; in order, as copies of the body (the extent is a constant).
  void For(std::string var, Expr min, Expr extent, const LoopBody& body);
  void Parallel(std::string var, Expr extent, const LoopBody& body);
  void Unrolled(std::string var, Expr extent, const LoopBody& body);
  // The body as long as the condition holds, which is computed anew before each
  // time, and not more than `most` times.
  void While(int64_t most, const std::function<Expr()>& condition,
             const Block& body);
  void If(Expr condition, const Block& then_block,
          const Block& else_block = nullptr);

  // The outputs, in the order they were asked for, named `name.0` and so on or
  // `name` if there is one. Called once, last.
  std::vector<Tensor> Build();

 private:
  friend class Array;

  // A statement, or an allocation for all that follows in the block.
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
  std::vector<std::vector<Item>> blocks_;  // open ones, innermost last
};

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_EXTERN_H_
