// FunctionEmitter: translates tir into one LLVM function, the kernel or the
// body of one of its parallel loops. Internal to emit_module.h.
//
// Representation of values
// - Index arithmetic, which does not overflow, has the pointer width of the
//   target (EmitIndex), to avoid sign extensions in loops. An index is emitted
//   as a linear sum, outermost loop variable first and constant last: invariant
//   parts can be hoisted, and unrolled copies differ in a constant offset only.
// - All other values have the type given in types.h (Emit).
// - A vector index with gaps is evaluated lane by lane (EmitIndexLanes).
//
// Conditional loads. A Load in the arm of a Select that is not taken may be out
// of bounds. If the index is provably in bounds, the load is executed
// unconditionally. Otherwise a scalar condition becomes a branch; a vector
// condition is kept in `mask_` while the arm is emitted, and loads are masked.
//
// Aliasing. Buffers never alias. Each memory access records its buffer, and
// Finish() attaches one alias scope per buffer.
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

// State shared by the functions of one kernel.
struct KernelContext {
  llvm::Module& module;
  const target::Target& target;
  int parallel_loops = 0;  // number of parallel loops emitted so far

  llvm::LLVMContext& context() { return module.getContext(); }
  llvm::IntegerType* index_type() {
    return llvm::IntegerType::get(context(), target.pointer_bits());
  }
  llvm::PointerType* pointer_type() {
    return llvm::PointerType::get(context(), 0);
  }
};

// Creates a function with the attributes common to all functions of kernels.
llvm::Function* CreateFunction(KernelContext& kernel, llvm::FunctionType* type,
                               llvm::GlobalValue::LinkageTypes linkage,
                               const std::string& name);

class FunctionEmitter {
 public:
  // `function` is empty and returns int32; `runtime` is the AssayRuntime.
  FunctionEmitter(KernelContext& kernel, llvm::Function* function,
                  bool in_parallel);

  llvm::IRBuilder<>& builder() { return builder_; }
  void set_runtime(llvm::Value* runtime) { runtime_ = runtime; }
  // Binds a buffer to its address, or a variable to its value. The value of a
  // variable has the index type, and it varies at loop depth `depth`.
  void BindBuffer(const expr::BufferNode* buffer, llvm::Value* pointer);
  void BindVar(const Expr& var, llvm::Value* value,
               const tir::ConstInterval& range, int depth);
  void UnbindVar(const Expr& var);

  void Emit(const tir::Stmt& s);
  // Emits the iterations [begin, end) of `loop`, counted from 0.
  void EmitChunk(const tir::For& loop, llvm::Value* begin, llvm::Value* end);
  // Emits `return 0` and attaches the alias scopes. Must be the last call.
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
  // Emits a scalar while lanes of a vector are masked; evaluated if any lane is
  // active.
  llvm::Value* EmitUnmasked(const Expr& scalar);
  // The value of the arm selected by `condition` (i1), using a branch.
  llvm::Value* EmitBranch(llvm::Value* condition, const Arm& then_arm,
                          const Arm& else_arm);
  // Returns true if evaluating `e` is safe for all values of its variables.
  bool IsSpeculatable(const Expr& e) const;

  // emit_index.cc
  llvm::Value* EmitIndex(const Expr& e);
  // The same, truncated to int32.
  llvm::Value* EmitNarrowedIndex(const Expr& e);
  llvm::Value* EmitIndexSum(const tir::Linear& sum);
  llvm::Value* EmitIndexTerm(const Expr& e);
  // The index of each lane.
  std::vector<llvm::Value*> EmitIndexLanes(const Expr& e);
  llvm::Value* IndexConstant(int64_t value);
  int DepthOf(const Expr& e) const;

  // emit_divmod.cc
  // `e` is an integer Div or Mod; the values of the operands may be wider than
  // e.
  llvm::Value* EmitDivMod(const Expr& e, llvm::Value* a, llvm::Value* b);
  llvm::Value* EmitTruncatingDiv(bool is_signed, llvm::Value* a,
                                 llvm::Value* b);

  // emit_memory.cc
  llvm::Value* EmitLoad(const expr::Load& load);
  llvm::Value* EmitVectorLoad(const expr::Load& load);
  llvm::Value* EmitGather(const expr::Load& load);
  llvm::Value* EmitTileColumn(const expr::Load& load);  // nullptr if none
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

  // emit_stmt.cc
  // Emits `body` with `var` bound to the value of an index.
  void EmitNamed(const Expr& var, const Expr& value, const tir::Stmt& body);
  void EmitFor(const tir::For& loop);
  void EmitLoop(const tir::For& loop, llvm::Value* first, llvm::Value* end,
                bool known_to_run);
  void EmitIf(const tir::IfThenElse& stmt);
  void EmitAllocate(const tir::Allocate& allocate);
  void EmitWorkspace(const tir::Allocate& allocate, int64_t bytes);
  // Returns `error` (i32) from the function if `failed`.
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
  llvm::Value* mask_ = nullptr;  // <N x i1>: active lanes
  int depth_ = 0;                // number of loops around the insertion point

  expr::VarMap<VarValue> vars_;
  tir::VarBounds bounds_;
  std::map<const expr::BufferNode*, llvm::Value*> buffers_;
  std::vector<llvm::Value*> workspaces_;  // allocated, outermost first
  std::vector<std::pair<llvm::Instruction*, const expr::BufferNode*>> accesses_;
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
