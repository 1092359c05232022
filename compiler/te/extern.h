// Extern: builds an operation whose body is an explicit loop nest. It is used
// for computations such as sorting and non-maximum suppression, whose output
// elements cannot be written as an expression of the output indices.
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
// Each callback of a loop or condition is called exactly once, immediately. The
// callback appends statements to the current block.
//
// The statements are those of loop programs (compiler/docs/tir.md), with these
// rules:
//   - Every element of every output must be written.
//   - Iterations of a parallel loop must be independent.
//   - No index may be out of bounds.
//   - `&&` and `||` evaluate both operands. A Select does not execute loads in
//     the arm that is not selected.
// Arrays are addressed with one index per dimension, independent of their
// layout in the schedule.
//
// In a schedule, an Extern is a stage without axes that is computed at root,
// that is, outside the loops of all other stages. The stages that compute its
// inputs must also be computed at root; they cannot be inlined.
#ifndef ASSAY_COMPILER_TE_EXTERN_H_
#define ASSAY_COMPILER_TE_EXTERN_H_

#include <functional>
#include <string>
#include <vector>

#include "compiler/te/tensor.h"
#include "compiler/tir/stmt.h"

namespace assay::te {

class Extern;

// Array: refers to memory that an Extern reads or writes. Copies of an Array
// refer to the same memory.
class Array {
 public:
  Array() = default;

  const Shape& shape() const { return buffer_->shape; }
  DType dtype() const { return buffer_->dtype; }

  // Returns a load of the element at `indices`. The load yields the value that
  // the element has when the enclosing statement is executed.
  Expr operator()(std::vector<Expr> indices) const;
  template <typename... Index>
  Expr operator()(Expr first, Index... rest) const {
    return (*this)(std::vector<Expr>{first, rest...});
  }
  // Appends a statement that stores `value` to the element at `indices`. The
  // array must not be an input.
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

  // Allocate uninitialized memory that is live until the end of the current
  // block. Scratch memory is visible to all threads of the kernel. Local memory
  // is small and private to one thread (registers or stack).
  Array Scratch(DType dtype, Shape shape, std::string name);
  Array Local(DType dtype, Shape shape, std::string name);

  // Append a loop with `extent` iterations over the variable `var`:
  //   - For: the iterations run in order; `var` starts at `min`.
  //   - Parallel: the iterations run in any order on the threads of the pool;
  //     `var` starts at 0.
  //   - Unrolled: the loop is fully unrolled; `var` starts at 0, and `extent`
  //     must be a constant.
  //   - Vectorized: the iterations become the lanes of vectors (the rules are
  //     in tir/passes/vectorize.h); `var` starts at 0, and `extent` must be a
  //     constant.
  void For(std::string var, Expr min, Expr extent, const LoopBody& body);
  void Parallel(std::string var, Expr extent, const LoopBody& body);
  void Unrolled(std::string var, Expr extent, const LoopBody& body);
  void Vectorized(std::string var, Expr extent, const LoopBody& body);
  // Appends a while loop: the body is repeated while `condition` holds, but at
  // most `most` times. The generated loop always has `most` iterations. Each
  // iteration evaluates the condition, and executes the body if the condition
  // holds.
  void While(int64_t most, const std::function<Expr()>& condition,
             const Block& body);
  void If(Expr condition, const Block& then_block,
          const Block& else_block = nullptr);

  // Returns the outputs in order of creation. They are named `name.0`,
  // `name.1`, …, or `name` if there is only one. Must be called exactly once,
  // after all other methods.
  std::vector<Tensor> Build();

 private:
  friend class Array;

  // A statement, or (if `stmt` is undefined) an allocation that is live for the
  // rest of the block.
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
