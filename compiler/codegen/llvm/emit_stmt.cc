// FunctionEmitter: statements, function prologue and epilogue.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "compiler/codegen/llvm/emitter.h"
#include "compiler/codegen/llvm/types.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/tir/simplify/exact.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/MDBuilder.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

using tir::ForKind;
using tir::StmtKind;

// Maximum size of a local buffer on the stack; threads have small stacks.
constexpr int64_t kMaxStackBytes = 64 * 1024;

// Each access names the alias scopes of all other buffers, so their number is
// quadratic in the number of buffers. If there are more buffers than this,
// local ones have no scopes; LLVM knows that they are distinct.
constexpr size_t kMaxScopes = 256;

}  // namespace

FunctionEmitter::FunctionEmitter(KernelContext& kernel,
                                 llvm::Function* function, bool in_parallel)
    : kernel_(kernel),
      function_(function),
      builder_(kernel.context()),
      in_parallel_(in_parallel) {
  builder_.SetInsertPoint(NewBlock("entry"));
  llvm::FastMathFlags flags;
  flags.setAllowContract();
  builder_.setFastMathFlags(flags);
}

void FunctionEmitter::BindBuffer(const expr::BufferNode* buffer,
                                 llvm::Value* pointer) {
  if (!pointer->hasName()) pointer->setName(buffer->name);
  buffers_[buffer] = pointer;
}

void FunctionEmitter::BindVar(const Expr& var, llvm::Value* value,
                              const tir::ConstInterval& range, int depth) {
  vars_[var] = {value, depth};
  bounds_[var] = range;
}

void FunctionEmitter::UnbindVar(const Expr& var) {
  vars_.erase(var);
  bounds_.erase(var);
}

llvm::BasicBlock* FunctionEmitter::NewBlock(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(kernel_.context(), name, function_);
}

// Allocates in the entry block, because LLVM promotes only such allocas to
// registers.
llvm::AllocaInst* FunctionEmitter::EntryAlloca(llvm::Type* type,
                                               llvm::Align align,
                                               const llvm::Twine& name) {
  llvm::BasicBlock& entry = function_->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::AllocaInst* memory = at_entry.CreateAlloca(type, nullptr, name);
  memory->setAlignment(align);
  return memory;
}

void FunctionEmitter::Emit(const tir::Stmt& s) {
  switch (s.kind()) {
    case StmtKind::kFor:
      return EmitFor(*s.As<tir::For>());
    case StmtKind::kStore:
      return EmitStore(*s.As<tir::Store>());
    case StmtKind::kAllocate:
      return EmitAllocate(*s.As<tir::Allocate>());
    case StmtKind::kIfThenElse:
      return EmitIf(*s.As<tir::IfThenElse>());
    case StmtKind::kBlock:
      for (const tir::Stmt& stmt : s.As<tir::Block>()->stmts) Emit(stmt);
      return;
    case StmtKind::kPragma:
      return Emit(s.As<tir::Pragma>()->body);
    case StmtKind::kPrefetch:
      return EmitPrefetch(*s.As<tir::Prefetch>()->element.As<expr::Load>());
    case StmtKind::kLet:
      return EmitNamed(s.As<tir::Let>()->var, s.As<tir::Let>()->value,
                       s.As<tir::Let>()->body);
  }
}

void FunctionEmitter::EmitNamed(const Expr& var, const Expr& value,
                                const tir::Stmt& body) {
  tir::ConstInterval range = tir::ConstBounds(value, bounds_);
  range.is_data = tir::IsData(value, bounds_);
  BindVar(var, EmitIndex(value), range, DepthOf(value));
  Emit(body);
  UnbindVar(var);
}

void FunctionEmitter::EmitFor(const tir::For& loop) {
  const std::optional<int64_t> extent = expr::AsConstInt(loop.extent);
  if (extent.has_value() && *extent <= 0) return;
  if (extent.has_value() && *extent == 1) {
    return EmitNamed(loop.var, loop.min, loop.body);
  }
  if (loop.for_kind == ForKind::kParallel && !in_parallel_) {
    return EmitParallel(loop);
  }
  llvm::Value* first = EmitIndex(loop.min);
  llvm::Value* end = EmitIndex(loop.min + loop.extent);
  EmitLoop(loop, first, end, tir::ConstBounds(loop.extent, bounds_).min >= 1);
}

void FunctionEmitter::EmitChunk(const tir::For& loop, llvm::Value* begin,
                                llvm::Value* end) {
  llvm::Value* min = EmitIndex(loop.min);
  EmitLoop(loop, builder_.CreateAdd(min, begin), builder_.CreateAdd(min, end),
           /*known_to_run=*/false);
}

// The loop is rotated: the condition is at the bottom, and also at the top if
// the loop may be empty. The bottom tests for equality, so that the compared
// value is the one that the next iteration uses, in the same register.
void FunctionEmitter::EmitLoop(const tir::For& loop, llvm::Value* first,
                               llvm::Value* end, bool known_to_run) {
  const std::string& name = loop.var.As<expr::Var>()->name;
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* body = NewBlock("for." + name);
  llvm::BasicBlock* after = NewBlock("end." + name);
  if (known_to_run) {
    builder_.CreateBr(body);
  } else {
    builder_.CreateCondBr(builder_.CreateICmpSLT(first, end), body, after);
  }
  builder_.SetInsertPoint(body);
  llvm::PHINode* var = builder_.CreatePHI(kernel_.index_type(), 2, name);
  var->addIncoming(first, before);

  tir::ConstInterval range = tir::LoopBounds(loop.min, loop.extent, bounds_);
  range.max = std::min<int64_t>(range.max, INT32_MAX);
  ++depth_;
  BindVar(loop.var, var, range, depth_);
  Emit(loop.body);
  UnbindVar(loop.var);
  --depth_;

  llvm::Value* next =
      builder_.CreateAdd(var, IndexConstant(1), name + ".next",
                         /*HasNUW=*/range.min >= 0, /*HasNSW=*/true);
  var->addIncoming(next, builder_.GetInsertBlock());
  llvm::BranchInst* back =
      builder_.CreateCondBr(builder_.CreateICmpNE(next, end), body, after);
  if (loop.for_kind == ForKind::kUnrolled) {
    llvm::LLVMContext& context = kernel_.context();
    llvm::MDNode* unroll = llvm::MDNode::get(
        context, llvm::MDString::get(context, "llvm.loop.unroll.full"));
    llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, unroll});
    id->replaceOperandWith(0, id);
    back->setMetadata(llvm::LLVMContext::MD_loop, id);
  }
  builder_.SetInsertPoint(after);
}

void FunctionEmitter::EmitIf(const tir::IfThenElse& stmt) {
  const bool has_else = stmt.else_body.defined();
  llvm::Value* condition = Emit(stmt.condition);
  llvm::BasicBlock* then_block = NewBlock("if");
  llvm::BasicBlock* else_block = has_else ? NewBlock("else") : nullptr;
  llvm::BasicBlock* join = NewBlock("endif");
  builder_.CreateCondBr(condition, then_block, has_else ? else_block : join);
  builder_.SetInsertPoint(then_block);
  Emit(stmt.then_body);
  builder_.CreateBr(join);
  if (has_else) {
    builder_.SetInsertPoint(else_block);
    Emit(stmt.else_body);
    builder_.CreateBr(join);
  }
  builder_.SetInsertPoint(join);
}

void FunctionEmitter::EmitAllocate(const tir::Allocate& allocate) {
  const expr::BufferNode* buffer = allocate.buffer.get();
  const int64_t elements = NumElements(buffer->shape);
  const int64_t bytes = elements * buffer->dtype.bytes();
  if (buffer->scope == expr::Scope::kGlobal || bytes > kMaxStackBytes) {
    return EmitWorkspace(allocate, bytes);
  }
  llvm::Type* element = MemoryType(kernel_.context(), buffer->dtype);
  llvm::AllocaInst* memory =
      EntryAlloca(llvm::ArrayType::get(element, elements),
                  llvm::Align(ASSAY_BUFFER_ALIGNMENT), buffer->name);
  llvm::ConstantInt* size = builder_.getInt64(bytes);
  builder_.CreateLifetimeStart(memory, size);
  BindBuffer(buffer, memory);
  Emit(allocate.body);
  buffers_.erase(buffer);
  builder_.CreateLifetimeEnd(memory, size);
}

llvm::Value* FunctionEmitter::LoadRuntimeField(int field) {
  llvm::PointerType* pointer = kernel_.pointer_type();
  llvm::LoadInst* load = builder_.CreateLoad(
      pointer, builder_.CreateConstGEP1_32(pointer, runtime_, field));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(kernel_.context(), {}));
  return load;
}

void FunctionEmitter::EmitWorkspace(const tir::Allocate& allocate,
                                    int64_t bytes) {
  llvm::PointerType* pointer = kernel_.pointer_type();
  llvm::Value* context = LoadRuntimeField(kContextField);
  llvm::Value* memory = builder_.CreateCall(
      llvm::FunctionType::get(pointer, {pointer, builder_.getInt64Ty()}, false),
      LoadRuntimeField(kWorkspaceAllocField),
      {context, builder_.getInt64(bytes)});
  ReturnErrorIf(builder_.CreateIsNull(memory),
                builder_.getInt32(ASSAY_ERROR_OUT_OF_MEMORY));
  workspaces_.push_back(memory);
  BindBuffer(allocate.buffer.get(), memory);
  Emit(allocate.body);
  buffers_.erase(allocate.buffer.get());
  workspaces_.pop_back();
  FreeWorkspace(memory);
}

void FunctionEmitter::FreeWorkspace(llvm::Value* memory) {
  llvm::PointerType* pointer = kernel_.pointer_type();
  llvm::Value* context = LoadRuntimeField(kContextField);
  builder_.CreateCall(
      llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false),
      LoadRuntimeField(kWorkspaceFreeField), {context, memory});
}

void FunctionEmitter::ReturnErrorIf(llvm::Value* failed, llvm::Value* error) {
  llvm::BasicBlock* failure = NewBlock("failure");
  llvm::BasicBlock* success = NewBlock("success");
  builder_.CreateCondBr(
      failed, failure, success,
      llvm::MDBuilder(kernel_.context()).createUnlikelyBranchWeights());
  builder_.SetInsertPoint(failure);
  for (auto it = workspaces_.rbegin(); it != workspaces_.rend(); ++it) {
    FreeWorkspace(*it);
  }
  builder_.CreateRet(error);
  builder_.SetInsertPoint(success);
}

void FunctionEmitter::Finish() {
  builder_.CreateRet(builder_.getInt32(0));
  llvm::MDBuilder metadata(kernel_.context());
  llvm::MDNode* domain =
      metadata.createAnonymousAliasScopeDomain(function_->getName());
  std::set<const expr::BufferNode*> buffers;
  for (const auto& [access, buffer] : accesses_) buffers.insert(buffer);
  const bool many = buffers.size() > kMaxScopes;
  // In order of first use, independent of addresses.
  std::vector<llvm::Metadata*> scopes;
  std::map<const expr::BufferNode*, size_t> index;
  for (const auto& [access, buffer] : accesses_) {
    if (many && buffer->scope == expr::Scope::kLocal) continue;
    if (!index.try_emplace(buffer, scopes.size()).second) continue;
    scopes.push_back(metadata.createAnonymousAliasScope(domain, buffer->name));
  }
  std::vector<llvm::MDNode*> self, others;
  for (size_t i = 0; i < scopes.size(); ++i) {
    std::vector<llvm::Metadata*> rest = scopes;
    rest.erase(rest.begin() + i);
    self.push_back(llvm::MDNode::get(kernel_.context(), {scopes[i]}));
    others.push_back(llvm::MDNode::get(kernel_.context(), rest));
  }
  for (const auto& [access, buffer] : accesses_) {
    const auto found = index.find(buffer);
    if (found == index.end()) continue;
    const size_t i = found->second;
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, self[i]);
    if (scopes.size() > 1) {
      access->setMetadata(llvm::LLVMContext::MD_noalias, others[i]);
    }
  }
}

}  // namespace assay::codegen
