// Stmt: the loop programs that schedules lower to and code generators read.
//
// Semantics
// - A Function is one kernel: its parameters are buffers, inputs first, then
//   outputs, which never overlap. It returns nothing; all it does is write.
// - Buffers are dense and row-major. Until the flatten pass a Load or Store has
//   one index per dimension, afterwards exactly one, in elements. An access
//   outside the buffer is a bug of ours.
// - A For runs var over [min, min + extent), which may be empty. Serial and
//   unrolled loops run in order; unrolling changes only the shape of the code.
//   The iterations of parallel and vectorized loops may be run in any order or
//   at once: no iteration reads what another one writes. A vectorized or
//   unrolled extent is constant. Parallel loops do not nest.
// - Allocate gives uninitialised memory for the length of its body: local
//   scope on the stack of the thread that reaches it, global scope from the
//   runtime's workspace.
//
// Programs print (tir/printer.h), parse back (tir/parser.h), verify
// (tir/verifier.h), compare structurally (tir/structural_equal.h) and run
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

// Statements in order; never nested directly, never of length 1 (Make
// flattens and unwraps). An empty Block does nothing.
struct Block : StmtBase<Block, StmtKind::kBlock> {
  std::vector<Stmt> stmts;
  static Stmt Make(std::vector<Stmt> stmts);
};

// A hint for passes and code generators about the loop below it, as the
// schedule's `pragma` primitive left it: `key` from a closed list documented
// with the pass that reads it, `value` an integer.
struct Pragma : StmtBase<Pragma, StmtKind::kPragma> {
  std::string key;
  int64_t value = 0;
  Stmt body;
  static Stmt Make(std::string key, int64_t value, Stmt body);
};

// A name for the value of an index expression, int32, within its body: what
// several statements, or the loops inside, need and need not compute again.
struct Let : StmtBase<Let, StmtKind::kLet> {
  Expr var;  // a Var of type int32
  Expr value;
  Stmt body;
  static Stmt Make(Expr var, Expr value, Stmt body);
};

// Asks for what an element lies in to be brought near, without reading it.
// Changes nothing that a program can see; the element is one of the buffer's.
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
