// Stmt: a statement of the loop-level IR. Schedules are lowered to this IR, and
// code generators read it.
//
// Semantics
// - A Function is one kernel. Its parameters are buffers: inputs, followed by
//   outputs. They never alias. The only effect of a function is to write to its
//   outputs.
// - Buffers are dense and row-major. Before the flatten pass, a Load or Store
//   has one index per dimension. After the flatten pass, it has exactly one
//   index, which counts elements. An access out of bounds is a compiler bug.
// - A For executes its body for var = min, …, min + extent - 1; the range may
//   be empty.
//   - Serial and unrolled loops run in order. Unrolling affects only the
//     generated code.
//   - Iterations of parallel and vectorized loops may run in any order or
//     concurrently. No iteration may read an element that another iteration
//     writes.
//   - Extents of vectorized and unrolled loops must be constants. Parallel
//     loops must not be nested.
// - An Allocate provides uninitialized memory that is live during its body. A
//   buffer with local scope is on the stack of the executing thread, unless it
//   is large. A buffer with global scope is in the workspace of the runtime.
//
// Related headers: printer.h prints programs, parser.h parses them, verifier.h
// checks them, structural_equal.h compares them, and interpreter.h executes
// them.
#ifndef ASSAY_COMPILER_TIR_STMT_H_
#define ASSAY_COMPILER_TIR_STMT_H_

#include <ostream>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"

namespace assay::tir {

using expr::Buffer;
using expr::Expr;

#define ASSAY_STMT_KINDS(X) \
  X(For)                    \
  X(Store)                  \
  X(Allocate)               \
  X(IfThenElse)             \
  X(Block)                  \
  X(Pragma)                 \
  X(Let)                    \
  X(Prefetch)

enum class StmtKind : uint8_t {
#define ASSAY_DECLARE(Kind) k##Kind,
  ASSAY_STMT_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

struct StmtNode : expr::Counted {
  explicit StmtNode(StmtKind k) : kind(k) {}
  const StmtKind kind;
};

class Stmt : public expr::Ref<StmtNode> {
 public:
  using Ref<StmtNode>::Ref;
  Stmt() = default;
  StmtKind kind() const { return get()->kind; }
  template <typename T>
  const T* As() const {
    return defined() && get()->kind == T::kKind ? static_cast<const T*>(get())
                                                : nullptr;
  }
};

template <typename T, StmtKind K>
struct StmtBase : StmtNode {
  static constexpr StmtKind kKind = K;
  StmtBase() : StmtNode(K) {}
};

enum class ForKind : uint8_t { kSerial, kParallel, kVectorized, kUnrolled };

struct For : StmtBase<For, StmtKind::kFor> {
  Expr var;  // a Var of type int32
  Expr min, extent;
  ForKind for_kind = ForKind::kSerial;
  Stmt body;
  static Stmt Make(Expr var, Expr min, Expr extent, ForKind for_kind,
                   Stmt body);
};

struct Store : StmtBase<Store, StmtKind::kStore> {
  Buffer buffer;
  std::vector<Expr> indices;
  Expr value;
  static Stmt Make(Buffer buffer, std::vector<Expr> indices, Expr value);
};

struct Allocate : StmtBase<Allocate, StmtKind::kAllocate> {
  Buffer buffer;
  Stmt body;
  static Stmt Make(Buffer buffer, Stmt body);
};

// If there is no else branch, else_body is undefined (Ref::defined).
struct IfThenElse : StmtBase<IfThenElse, StmtKind::kIfThenElse> {
  Expr condition;
  Stmt then_body, else_body;
  static Stmt Make(Expr condition, Stmt then_body, Stmt else_body = Stmt());
};

// A sequence of statements. An element of a Block is never a Block, and a Block
// never has length 1, because Make flattens nested Blocks and, if only one
// statement remains, returns that statement instead of a Block. An empty Block
// has no effect.
struct Block : StmtBase<Block, StmtKind::kBlock> {
  std::vector<Stmt> stmts;
  static Stmt Make(std::vector<Stmt> stmts);
};

// A hint for passes and code generators about the enclosed statement, usually a
// loop. Pragmas are created from the schedule primitives pragma, bind,
// env_threads and store_predicate. The keys are documented in passes/unroll.h,
// thread_pragma.h and compiler/lower/virtual_threads.h.
struct Pragma : StmtBase<Pragma, StmtKind::kPragma> {
  std::string key;
  int64_t value = 0;
  Stmt body;
  static Stmt Make(std::string key, int64_t value, Stmt body);
};

// Binds the value of an int32 index expression to a variable within the body.
// The value is computed once, before the body is executed.
struct Let : StmtBase<Let, StmtKind::kLet> {
  Expr var;  // a Var of type int32
  Expr value;
  Stmt body;
  static Stmt Make(Expr var, Expr value, Stmt body);
};

// Prefetches the cache line of an element. It has no other effect. The element
// must be in bounds, but need not have been written.
struct Prefetch : StmtBase<Prefetch, StmtKind::kPrefetch> {
  Expr element;  // a scalar Load
  static Stmt Make(Expr element);
};

struct Function {
  std::string name;  // the exported symbol: [A-Za-z_][A-Za-z0-9_]*
  std::vector<Buffer> inputs;
  std::vector<Buffer> outputs;
  Stmt body;
};

std::ostream& operator<<(std::ostream& os, const Stmt& s);
std::ostream& operator<<(std::ostream& os, const Function& f);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_STMT_H_
