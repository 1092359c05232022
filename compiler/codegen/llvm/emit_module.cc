#include "compiler/codegen/llvm/emit_module.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/emitter.h"
#include "compiler/codegen/llvm/target_machine.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/abi/abi.h"

namespace assay::codegen {
namespace {

// Loads the address of a parameter and attaches the guarantees of the ABI.
llvm::Value* LoadParameter(KernelContext& kernel, llvm::IRBuilder<>& builder,
                           llvm::Value* buffers, int number,
                           const expr::BufferNode& buffer) {
  llvm::PointerType* pointer = kernel.pointer_type();
  llvm::LoadInst* load = builder.CreateLoad(
      pointer, builder.CreateConstGEP1_32(pointer, buffers, number));
  llvm::LLVMContext& context = kernel.context();
  const auto constant = [&](int64_t value) {
    return llvm::MDNode::get(context, llvm::MDBuilder(context).createConstant(
                                          builder.getInt64(value)));
  };
  llvm::MDNode* nothing = llvm::MDNode::get(context, {});
  const int64_t bytes = NumElements(buffer.shape) * buffer.dtype.bytes();
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, nothing);
  load->setMetadata(llvm::LLVMContext::MD_noundef, nothing);
  if (bytes > 0) {
    load->setMetadata(llvm::LLVMContext::MD_nonnull, nothing);
    load->setMetadata(llvm::LLVMContext::MD_align,
                      constant(ASSAY_BUFFER_ALIGNMENT));
    load->setMetadata(llvm::LLVMContext::MD_dereferenceable, constant(bytes));
  }
  return load;
}

void EmitKernel(KernelContext& kernel, const tir::Function& function) {
  llvm::PointerType* pointer = kernel.pointer_type();
  llvm::FunctionType* type = llvm::FunctionType::get(
      llvm::Type::getInt32Ty(kernel.context()), {pointer, pointer}, false);
  llvm::Function* kernel_function = CreateFunction(
      kernel, type, llvm::GlobalValue::ExternalLinkage, function.name);
  llvm::Argument* buffers = kernel_function->getArg(0);
  llvm::Argument* runtime = kernel_function->getArg(1);
  buffers->setName("buffers");
  runtime->setName("runtime");
  for (llvm::Argument* argument : {buffers, runtime}) {
    argument->addAttr(llvm::Attribute::NoAlias);
    argument->addAttr(llvm::Attribute::NonNull);
    argument->addAttr(llvm::Attribute::NoUndef);
    argument->addAttr(llvm::Attribute::ReadOnly);
  }
  FunctionEmitter emitter(kernel, kernel_function, /*in_parallel=*/false);
  emitter.set_runtime(runtime);
  int number = 0;
  for (const auto* parameters : {&function.inputs, &function.outputs}) {
    for (const expr::Buffer& buffer : *parameters) {
      emitter.BindBuffer(
          buffer.get(),
          LoadParameter(kernel, emitter.builder(), buffers, number++, *buffer));
    }
  }
  emitter.Emit(function.body);
  emitter.Finish();
}

}  // namespace

llvm::Function* CreateFunction(KernelContext& kernel, llvm::FunctionType* type,
                               llvm::GlobalValue::LinkageTypes linkage,
                               const std::string& name) {
  llvm::Function* function =
      llvm::Function::Create(type, linkage, name, kernel.module);
  const target::Target& target = kernel.target;
  function->setDoesNotThrow();
  // LLVM must not turn loops into calls of memset.
  function->addFnAttr("no-builtins");
  function->addFnAttr("no-trapping-math", "true");
  function->addFnAttr("target-cpu", target.cpu());
  const std::string features = LlvmFeatures(target);
  if (!features.empty()) function->addFnAttr("target-features", features);
  // LLVM prefers narrower vectors than available on some processors; the vector
  // width is the schedule's decision.
  function->addFnAttr("prefer-vector-width",
                      absl::StrCat(target.vector_bits()));
  return function;
}

absl::StatusOr<std::unique_ptr<llvm::Module>> EmitModule(
    const tir::Function& function, const target::Target& target,
    const llvm::TargetMachine& machine, llvm::LLVMContext& context) {
  auto module = std::make_unique<llvm::Module>(function.name, context);
  module->setTargetTriple(machine.getTargetTriple().str());
  module->setDataLayout(machine.createDataLayout());
  module->setPICLevel(llvm::PICLevel::BigPIC);
  KernelContext kernel{*module, target};
  EmitKernel(kernel, function);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*module, &stream)) {
    return absl::InternalError(absl::StrCat(
        "LLVM rejects kernel `", function.name, "`: ", stream.str()));
  }
  return module;
}

}  // namespace assay::codegen
