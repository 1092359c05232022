// Stmt: the loop-level IR; schedules are lowered to it and code generators read
// it.
//
// Semantics
// - A Function is one kernel. Its parameters are buffers, inputs followed by
//   outputs, which never alias. It has no result; its only effect is to write
//   to its outputs.
// - Buffers are dense and row-major. Before the flatten pass a Load or Store
//   has one index per dimension, afterwards exactly one, in elements. An access
//   out of bounds is a compiler bug.
// - A For iterates var over [min, min + extent), which may be empty. Serial and
//   unrolled loops run in order; unrolling affects only the generated code.
//   Iterations of parallel and vectorized loops may run in any order or
//   concurrently: no iteration may read what another one writes. Extents of
//   vectorized and unrolled loops are constants. Parallel loops do not nest.
// - Allocate provides uninitialized memory that is live during its body: local
//   scope on the stack of the executing thread, global scope from the runtime's
//   workspace.
//
// Programs print (tir/printer.h), parse back (tir/parser.h), verify
// (tir/verifier.h), compare structurally (tir/structural_equal.h) and execute
// (tir/interpreter.h).
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

// else_body may be undefined.
struct IfThenElse : StmtBase<IfThenElse, StmtKind::kIfThenElse> {
  Expr condition;
  Stmt then_body, else_body;
  static Stmt Make(Expr condition, Stmt then_body, Stmt else_body = Stmt());
};

// A sequence of statements. Blocks are never nested directly and never have
// length 1 (Make flattens and unwraps them). An empty Block is a no-op.
struct Block : StmtBase<Block, StmtKind::kBlock> {
  std::vector<Stmt> stmts;
  static Stmt Make(std::vector<Stmt> stmts);
};

// A hint about the enclosed loop for passes and code generators, set by the
// `pragma` schedule primitive. `key` is one of a closed list; each is
// documented with the pass that reads it or in thread_pragma.h. `value` is an
// integer.
struct Pragma : StmtBase<Pragma, StmtKind::kPragma> {
  std::string key;
  int64_t value = 0;
  Stmt body;
  static Stmt Make(std::string key, int64_t value, Stmt body);
};

// Binds the value of an int32 index expression to a variable within the body,
// so that several statements or the loops inside do not recompute it.
struct Let : StmtBase<Let, StmtKind::kLet> {
  Expr var;  // a Var of type int32
  Expr value;
  Stmt body;
  static Stmt Make(Expr var, Expr value, Stmt body);
};

// Prefetches the cache line of an element without reading it. No observable
// effect; the element must be in bounds.
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
