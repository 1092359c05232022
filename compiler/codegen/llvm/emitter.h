// FunctionEmitter: fills one LLVM function, the kernel itself or the body of
// one of its parallel loops, from tir. Internal to this folder; emit_module.h
// is the way in.
//
// How values are represented
// - Index arithmetic, which never wraps, is done in the machine's pointer
//   width (EmitIndex), so that no sign extension ends up in a loop. An index
//   is taken apart into a sum and put together again outermost loop variable
//   first and constant last: whatever an outer loop fixes can leave the inner
//   ones, and unrolled copies share all but a constant offset.
// - Everything else has the type that types.h says (Emit).
// - A vector index with gaps is evaluated lane by lane (EmitIndexLanes).
//
// Loads that must not happen. A Load in the arm of a Select that is not taken
// may be out of bounds. If the index provably stays inside the buffer the load
// is done regardless; else a scalar condition becomes a branch, and a vector
// condition is kept in `mask_` while the arm is emitted, and loads are masked.
//
// Aliasing. Buffers never overlap. Each memory access notes its buffer, and
// Finish() tells LLVM by one alias scope per buffer.
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

// What the functions of one kernel share.
struct KernelContext {
  llvm::Module& module;
  const target::Target& target;
  int parallel_loops = 0;  // so far; numbers their bodies

  llvm::LLVMContext& context() { return module.getContext(); }
  llvm::IntegerType* index_type() {
    return llvm::IntegerType::get(context(), target.pointer_bits());
  }
  llvm::PointerType* pointer_type() {
    return llvm::PointerType::get(context(), 0);
  }
};

// An internal or external function with the attributes all ours have.
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
  // Makes known what `buffer` or `var` is; a var's value is an index, and it
  // varies at loop depth `depth`.
  void BindBuffer(const expr::BufferNode* buffer, llvm::Value* pointer);
  void BindVar(const Expr& var, llvm::Value* value,
               const tir::ConstInterval& range, int depth);
  void UnbindVar(const Expr& var);

  void Emit(const tir::Stmt& s);
  // A loop over [begin, end), which are values of var less `var_min`.
  void EmitShare(const tir::For& loop, llvm::Value* begin, llvm::Value* end);
  // Returns 0 and attaches the alias scopes; nothing may follow.
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
  // `scalar` where lanes of a vector are masked: done if any lane wants it.
  llvm::Value* EmitUnmasked(const Expr& scalar);
  // The arm that `condition` (i1) chooses, by a branch.
  llvm::Value* EmitBranch(llvm::Value* condition, const Arm& then_arm,
                          const Arm& else_arm);
  // No evaluation of `e` can go wrong, whatever its variables are.
  bool IsSpeculatable(const Expr& e) const;

  // emit_index.cc
  llvm::Value* EmitIndex(const Expr& e);
  // The same as an int32.
  llvm::Value* EmitNarrowedIndex(const Expr& e);
  llvm::Value* EmitIndexSum(const tir::Linear& sum);
  llvm::Value* EmitIndexTerm(const Expr& e);
  // Lane by lane, as indices.
  std::vector<llvm::Value*> EmitIndexLanes(const Expr& e);
  llvm::Value* IndexConstant(int64_t value);
  int DepthOf(const Expr& e) const;

  // emit_divmod.cc
  // `e` is a Div or Mod of integers; the operands' values may be wider.
  llvm::Value* EmitDivMod(const Expr& e, llvm::Value* a, llvm::Value* b);
  llvm::Value* EmitTruncatingDiv(bool is_signed, llvm::Value* a,
                                 llvm::Value* b);

  // emit_memory.cc
  llvm::Value* EmitLoad(const expr::Load& load);
  llvm::Value* EmitVectorLoad(const expr::Load& load);
  llvm::Value* EmitGather(const expr::Load& load);
  llvm::Value* EmitTileColumn(const expr::Load& load);  // or null
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
  // `body`, in which `var` is the value of an index.
  void EmitNamed(const Expr& var, const Expr& value, const tir::Stmt& body);
  void EmitFor(const tir::For& loop);
  void EmitLoop(const tir::For& loop, llvm::Value* first, llvm::Value* end,
                bool known_to_run);
  void EmitIf(const tir::IfThenElse& stmt);
  void EmitAllocate(const tir::Allocate& allocate);
  void EmitWorkspace(const tir::Allocate& allocate, int64_t bytes);
  // Leaves the function with `error` (i32) if `failed`, and goes on if not.
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
  llvm::Value* mask_ = nullptr;  // <N x i1>: lanes whose value is wanted
  int depth_ = 0;                // loops around the insertion point

  expr::VarMap<VarValue> vars_;
  tir::VarBounds bounds_;
  std::map<const expr::BufferNode*, llvm::Value*> buffers_;
  std::vector<llvm::Value*> workspaces_;  // to be freed, outermost first
  std::vector<std::pair<llvm::Instruction*, const expr::BufferNode*>> accesses_;
};

// Fields of AssayRuntime.
enum RuntimeField {
  kContextField = 0,
  kParallelForField = 1,
  kWorkspaceAllocField = 2,
  kWorkspaceFreeField = 3,
};

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_EMITTER_H_
