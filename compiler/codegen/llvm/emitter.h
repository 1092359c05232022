// FunctionEmitter: translates tir into one LLVM function, which is either the
// kernel or the body of one of its parallel loops. Only the implementation of
// emit_module.h uses this class.
//
// Representation of values
// - An index does not overflow. It is emitted in the pointer width of the
//   target (EmitIndex), to avoid sign extensions in loops; data that may
//   overflow (tir/simplify/exact.h) stays in 32 bits. An index is emitted as a
//   linear sum that begins with the term of the outermost loop variable and
//   ends with the constant. LLVM can therefore hoist the loop-invariant part
//   of the sum, and copies of an unrolled loop differ in a constant only.
// - Every other value has the LLVM type that RegisterType (types.h) returns for
//   its DType (Emit).
// - If the lanes of a vector index are not equidistant, the index is evaluated
//   lane by lane (EmitIndexLanes).
//
// Conditional loads. If an arm of a Select is not taken, its Loads may be out
// of bounds. If both arms can be evaluated unconditionally (IsSpeculatable),
// they are. Otherwise a scalar condition becomes a branch. For a vector
// condition, both arms are emitted one after the other. While an arm is
// emitted, `mask_` contains the lanes that take this arm, and the loads of the
// arm that are not provably in bounds are masked.
//
// Aliasing. Buffers never alias. Finish() creates one alias scope per buffer.
// It attaches to each memory access the scope of the accessed buffer (metadata
// alias.scope) and the scopes of all other buffers (metadata noalias).
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_EMITTER_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_EMITTER_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/expr/substitute.h"
#include "compiler/target/target.h"
#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/stmt.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

namespace assay::codegen {

using expr::Expr;

// The state that all functions of one kernel share.
struct KernelContext {
  llvm::Module& module;
  const target::Target& target;
  int parallel_loops = 0;  // number of parallel loops that were emitted

  llvm::LLVMContext& context() { return module.getContext(); }
  llvm::IntegerType* index_type() {
    return llvm::IntegerType::get(context(), target.pointer_bits());
  }
  llvm::PointerType* pointer_type() {
    return llvm::PointerType::get(context(), 0);
  }
};

// Creates an empty function with the attributes that all generated functions
// have.
llvm::Function* CreateFunction(KernelContext& kernel, llvm::FunctionType* type,
                               llvm::GlobalValue::LinkageTypes linkage,
                               const std::string& name);

class FunctionEmitter {
 public:
  // `function` must be empty and return i32. `in_parallel` must be true if
  // `function` is the body of a parallel loop. Parallel loops inside this body
  // are then emitted as serial loops.
  FunctionEmitter(KernelContext& kernel, llvm::Function* function,
                  bool in_parallel);

  llvm::IRBuilder<>& builder() { return builder_; }
  // Sets the pointer to the AssayRuntime (runtime/abi/abi.h). Must be called
  // before the first Emit() or EmitChunk().
  void set_runtime(llvm::Value* runtime) { runtime_ = runtime; }
  // Sets the address of a buffer.
  void BindBuffer(const expr::BufferNode* buffer, llvm::Value* pointer);
  // Sets the value of a variable. `value` must have the index type, and `range`
  // must contain every number that `value` can be. If `value` is the same in
  // all iterations of all loops, `depth` must be 0. Otherwise `depth` must be
  // the nesting depth (from 1) of the innermost loop in which `value` changes.
  void BindVar(const Expr& var, llvm::Value* value,
               const tir::ConstInterval& range, int depth);
  void UnbindVar(const Expr& var);

  void Emit(const tir::Stmt& s);
  // Emits a serial loop over the iterations [begin, end) of `loop`. Iterations
  // are numbered from 0, even if loop.min is not 0.
  void EmitChunk(const tir::For& loop, llvm::Value* begin, llvm::Value* end);
  // Emits `return 0` and attaches the alias scopes. No other method may be
  // called after Finish().
  void Finish();

 private:
  using Arm = std::function<llvm::Value*()>;
  struct VarValue {
    llvm::Value* value = nullptr;
    int depth = 0;
  };

  // emit_expr.cc
  llvm::Value* Emit(const Expr& e);
  llvm::Value* EmitBinary(const Expr& e, const Expr& a, const Expr& b);
  llvm::Value* EmitCompare(expr::ExprKind kind, const Expr& a, const Expr& b);
  llvm::Value* EmitArithmetic(expr::ExprKind kind, DType type, llvm::Value* a,
                              llvm::Value* b);
  llvm::Value* Convert(DType from, DType to, llvm::Value* x);
  llvm::Value* EmitSelect(const expr::Select& select);
  llvm::Value* EmitRamp(const expr::Ramp& ramp);
  llvm::Value* EmitBroadcast(const expr::Broadcast& broadcast);
  // Emits a scalar expression that is part of a masked vector expression. The
  // generated code evaluates `scalar` only if at least one lane of `mask_` is
  // active, unless IsSpeculatable(scalar) is true.
  llvm::Value* EmitUnmasked(const Expr& scalar);
  // Emits a branch on `condition` (i1) with the two arms, and returns the value
  // of the arm that is executed.
  llvm::Value* EmitBranch(llvm::Value* condition, const Arm& then_arm,
                          const Arm& else_arm);
  // Returns true if it is provable that `e` can be evaluated for all values of
  // its variables without an access out of bounds or a division by 0.
  bool IsSpeculatable(const Expr& e) const;

  // emit_index.cc
  // Emits an int32 expression in the pointer width of the target.
  llvm::Value* EmitIndex(const Expr& e);
  // Returns the result of EmitIndex(e), truncated to i32.
  llvm::Value* EmitNarrowedIndex(const Expr& e);
  llvm::Value* EmitIndexSum(const tir::Linear& sum);
  llvm::Value* EmitIndexTerm(const Expr& e);
  // Returns the scalar index of each lane of `e`.
  std::vector<llvm::Value*> EmitIndexLanes(const Expr& e);
  llvm::Value* IndexConstant(int64_t value);
  int DepthOf(const Expr& e) const;

  // emit_divmod.cc
  // Emits `e`, an integer Div or Mod. `a` and `b` are the emitted operands,
  // whose type may be wider than that of `e`.
  llvm::Value* EmitDivMod(const Expr& e, llvm::Value* a, llvm::Value* b);
  llvm::Value* EmitTruncatingDiv(bool is_signed, llvm::Value* a,
                                 llvm::Value* b);

  // emit_memory.cc
  llvm::Value* EmitLoad(const expr::Load& load);
  llvm::Value* EmitVectorLoad(const expr::Load& load);
  llvm::Value* EmitGather(const expr::Load& load);
  // Emits a strided load from a local buffer as shuffles of consecutive loads
  // (emit_tile.cc). Returns nullptr if `load` does not have this form.
  llvm::Value* EmitTileColumn(const expr::Load& load);
  llvm::Value* EmitConsecutiveLoad(const expr::Load& load, const Expr& base,
                                   bool masked);
  void EmitStore(const tir::Store& store);
  void EmitPrefetch(const expr::Load& element);
  llvm::Value* EmitAddress(const expr::BufferNode* buffer, const Expr& index);
  llvm::Align AlignmentOf(const expr::BufferNode* buffer, const Expr& index);
  bool InBounds(const expr::BufferNode* buffer, const Expr& index) const;
  llvm::Value* FromMemory(DType type, llvm::Value* value);
  llvm::Value* ToMemory(DType type, llvm::Value* value);
  llvm::Value* ScalarLoad(const expr::BufferNode* buffer, llvm::Value* address,
                          llvm::Align align);
  // Records the buffer of a memory access for Finish(), and returns `access`.
  template <typename T>
  T* Note(const expr::BufferNode* buffer, T* access) {
    accesses_.emplace_back(access, buffer);
    return access;
  }

  // emit_math.cc
  llvm::Value* EmitCall(const expr::Call& call);
  llvm::Value* EmitRounding(expr::Intrinsic intrinsic, llvm::Value* x);
  llvm::Value* EmitFma(DType type, llvm::Value* a, llvm::Value* b,
                       llvm::Value* c);

  // emit_tile_product.cc
  llvm::Value* EmitTileProduct(const expr::Call& call);
  // Loads a factor of a tile product into a tile register. Returns the value of
  // an earlier load of the same elements if there is one in the basic block.
  llvm::Value* LoadTile(const Expr& factor);
  // Returns false unless `index` are the rows of a matrix in a larger one.
  bool StoreTile(const expr::BufferNode* buffer, const Expr& index,
                 llvm::Value* value);

  // emit_stmt.cc
  // Emits `body` with `var` bound to the index expression `value`.
  void EmitNamed(const Expr& var, const Expr& value, const tir::Stmt& body);
  void EmitFor(const tir::For& loop);
  void EmitLoop(const tir::For& loop, llvm::Value* first, llvm::Value* end,
                bool known_to_run);
  void EmitIf(const tir::IfThenElse& stmt);
  void EmitAllocate(const tir::Allocate& allocate);
  void EmitWorkspace(const tir::Allocate& allocate, int64_t bytes);
  // Emits code that returns `error` (i32) from the generated function if
  // `failed` (i1) is true. The code frees all workspaces before it returns.
  void ReturnErrorIf(llvm::Value* failed, llvm::Value* error);
  void FreeWorkspace(llvm::Value* memory);
  llvm::Value* LoadRuntimeField(int field);
  llvm::AllocaInst* EntryAlloca(llvm::Type* type, llvm::Align align,
                                const llvm::Twine& name);
  llvm::BasicBlock* NewBlock(const llvm::Twine& name);

  // emit_parallel.cc
  void EmitParallel(const tir::For& loop);

  KernelContext& kernel_;
  llvm::Function* const function_;
  llvm::IRBuilder<> builder_;
  const bool in_parallel_;
  llvm::Value* runtime_ = nullptr;
  llvm::Value* mask_ = nullptr;  // active lanes (<N x i1>); null means all
  int depth_ = 0;                // number of loops around the insertion point

  expr::VarMap<VarValue> vars_;
  tir::VarBounds bounds_;
  std::map<const expr::BufferNode*, llvm::Value*> buffers_;
  // The workspaces that are allocated at the insertion point, outermost first.
  std::vector<llvm::Value*> workspaces_;
  std::vector<std::pair<llvm::Instruction*, const expr::BufferNode*>> accesses_;
  // Loaded tiles to whose buffers nothing was stored since, last used last.
  struct LoadedTile {
    llvm::BasicBlock* block;
    expr::Buffer buffer;
    Expr index;      // of the first element
    int64_t stride;  // between rows, in elements
    llvm::Value* value;
  };
  std::vector<LoadedTile> tiles_;
};

// Indices of the fields of AssayRuntime.
enum RuntimeField {
  kContextField = 0,
  kParallelForField = 1,
  kWorkspaceAllocField = 2,
  kWorkspaceFreeField = 3,
};

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_EMITTER_H_
