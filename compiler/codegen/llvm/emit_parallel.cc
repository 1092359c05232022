// FunctionEmitter: parallel loops. The loop becomes an internal function
//
//   int32_t body(int32_t begin, int32_t end, void* closure)
//
// that executes a range of its iterations, and a call of the runtime's
// parallel_for. The closure is a struct on the caller's stack with the captured
// values: the runtime if needed, buffers, then loop variables.
#include "compiler/codegen/llvm/emitter.h"
#include "compiler/tir/visitor.h"
#include "llvm/IR/Constants.h"

namespace assay::codegen {
namespace {

// Collects the buffers and variables that a loop captures, in order of first
// use.
class CaptureFinder : public tir::StmtVisitor {
 public:
  explicit CaptureFinder(const tir::For& loop) {
    bound_.insert(loop.var);
    Visit(loop.min);
    Visit(loop.body);
  }

  const std::vector<const expr::BufferNode*>& buffers() const {
    return buffers_;
  }
  const std::vector<Expr>& vars() const { return vars_; }

 private:
  using StmtVisitor::Visit;

  void VisitFor(const tir::For* loop) override {
    bound_.insert(loop->var);
    StmtVisitor::VisitFor(loop);
  }
  void VisitLet(const tir::Let* let) override {
    bound_.insert(let->var);
    StmtVisitor::VisitLet(let);
  }
  void VisitAllocate(const tir::Allocate* allocate) override {
    seen_buffers_.insert(allocate->buffer.get());
    StmtVisitor::VisitAllocate(allocate);
  }
  void VisitStore(const tir::Store* store) override {
    Use(store->buffer.get());
    StmtVisitor::VisitStore(store);
  }
  void VisitLoad(const expr::Load* load) override {
    Use(load->buffer.get());
    StmtVisitor::VisitLoad(load);
  }
  void VisitVar(const expr::Var* var) override {
    const Expr handle{var};
    if (bound_.insert(handle).second) vars_.push_back(handle);
  }
  void Use(const expr::BufferNode* buffer) {
    if (seen_buffers_.insert(buffer).second) buffers_.push_back(buffer);
  }

  expr::VarSet bound_;
  std::set<const expr::BufferNode*> seen_buffers_;
  std::vector<const expr::BufferNode*> buffers_;
  std::vector<Expr> vars_;
};

}  // namespace

void FunctionEmitter::EmitParallel(const tir::For& loop) {
  const CaptureFinder captures(loop);
  llvm::PointerType* pointer = kernel_.pointer_type();
  std::vector<llvm::Type*> fields(1 + captures.buffers().size(), pointer);
  fields.resize(fields.size() + captures.vars().size(), kernel_.index_type());
  llvm::StructType* closure_type =
      llvm::StructType::get(kernel_.context(), fields);

  // The body function.
  llvm::Type* int32 = builder_.getInt32Ty();
  llvm::FunctionType* body_type =
      llvm::FunctionType::get(int32, {int32, int32, pointer}, false);
  llvm::Function* body =
      CreateFunction(kernel_, body_type, llvm::GlobalValue::InternalLinkage,
                     (function_->getName() + ".parallel" +
                      llvm::Twine(kernel_.parallel_loops++))
                         .str());
  body->getArg(2)->addAttr(llvm::Attribute::NoAlias);
  body->getArg(2)->addAttr(llvm::Attribute::ReadOnly);
  FunctionEmitter share(kernel_, body, /*in_parallel=*/true);
  llvm::Value* memory = EntryAlloca(
      closure_type, llvm::Align(kernel_.target.pointer_bits() / 8), "closure");
  int field = 0;
  const auto capture = [&](llvm::Value* value) -> llvm::Value* {
    builder_.CreateStore(value,
                         builder_.CreateStructGEP(closure_type, memory, field));
    llvm::IRBuilder<>& there = share.builder();
    llvm::Value* address =
        there.CreateStructGEP(closure_type, body->getArg(2), field++);
    llvm::LoadInst* load = there.CreateLoad(value->getType(), address);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(kernel_.context(), {}));
    return load;
  };
  share.set_runtime(capture(runtime_));
  for (const expr::BufferNode* buffer : captures.buffers()) {
    share.BindBuffer(buffer, capture(buffers_.at(buffer)));
  }
  for (const Expr& var : captures.vars()) {
    share.BindVar(var, capture(vars_.at(var).value), bounds_.at(var), 0);
  }
  llvm::IRBuilder<>& there = share.builder();
  llvm::Value* begin = there.CreateSExt(body->getArg(0), kernel_.index_type());
  share.EmitChunk(loop, begin,
                  there.CreateSExt(body->getArg(1), kernel_.index_type()));
  share.Finish();

  // The call of parallel_for.
  llvm::Value* context = LoadRuntimeField(kContextField);
  llvm::Value* error = builder_.CreateCall(
      llvm::FunctionType::get(int32, {pointer, int32, pointer, pointer}, false),
      LoadRuntimeField(kParallelForField),
      {context, EmitNarrowedIndex(loop.extent), body, memory});
  ReturnErrorIf(builder_.CreateIsNotNull(error), error);
}

}  // namespace assay::codegen
