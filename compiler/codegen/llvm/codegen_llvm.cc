#include "compiler/codegen/llvm/codegen_llvm.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/check_input.h"
#include "compiler/codegen/llvm/emit_module.h"
#include "compiler/codegen/llvm/fatal_error.h"
#include "compiler/codegen/llvm/object/code_digest.h"
#include "compiler/codegen/llvm/optimize.h"
#include "compiler/codegen/llvm/target_machine.h"
#include "compiler/codegen/llvm/wide_integers.h"
#include "compiler/tir/visitor.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check_context.h"
#include "runtime/base/random.h"
#include "runtime/base/shuffle.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

// Finds out if a schedule created vectors in a kernel.
class VectorFinder : public tir::StmtVisitor {
 public:
  bool found() const { return found_; }
  using StmtVisitor::Visit;
  void Visit(const expr::Expr& e) override {
    found_ = found_ || e.dtype().is_vector();
    if (!found_) StmtVisitor::Visit(e);
  }

 private:
  bool found_ = false;
};

struct Compiled {
  std::string object;
  std::string ll, opt_ll, assembly;  // only for dumps
};

std::string Print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return stream.str();
}

// Functions start at a cache line. The speed of a loop depends on its position
// in a line by up to some percent; without alignment it would depend on the
// sizes of the functions before it.
constexpr int64_t kFunctionAlignment = 64;

void AlignFunctions(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) {
      function.setAlignment(llvm::Align(kFunctionAlignment));
    }
  }
}

// Puts up to 15 cache lines that are never executed before each function.
void PadFunctions(llvm::Module& module, uint64_t seed) {
  constexpr int64_t kUnit = kFunctionAlignment, kMaxUnits = 15;
  Rng rng(seed);
  for (llvm::Function& function : module) {
    const int64_t bytes = kUnit * rng.UniformInt(0, kMaxUnits);
    if (function.isDeclaration() || bytes == 0) continue;
    function.setPrefixData(llvm::ConstantAggregateZero::get(
        llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()),
                             static_cast<uint64_t>(bytes))));
  }
}

absl::StatusOr<Compiled> Compile(const tir::Function& kernel,
                                 const target::Target& target,
                                 const Options& options) {
  const int opt_level = options.opt_level;
  const bool dump = options.dump != nullptr;
  const KernelScope scope(kernel.name, options);
  ASSAY_RETURN_IF_ERROR(CheckInput(kernel, target));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<llvm::TargetMachine> machine,
                         CreateTargetMachine(target, opt_level));
  llvm::LLVMContext context;
  context.setDiscardValueNames(!dump);
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<llvm::Module> module,
                         EmitModule(kernel, target, *machine, context));
  Compiled result;
  if (dump) result.ll = Print(*module);
  VectorFinder vectors;
  vectors.Visit(kernel.body);
  OptimizeModule(*module, *machine, opt_level, !vectors.found());
  if (target.pointer_bits() < 64) ExpandWideIntegers(*module);
  AlignFunctions(*module);
  if (options.layout_seed != 0) {
    PadFunctions(*module, SeedFor(options.layout_seed, kernel.name));
  }
  if (dump) {
    result.opt_ll = Print(*module);
    ASSAY_ASSIGN_OR_RETURN(
        result.assembly, EmitMachineCode(*llvm::CloneModule(*module), *machine,
                                         OutputKind::kAssembly));
  }
  ASSAY_ASSIGN_OR_RETURN(
      result.object, EmitMachineCode(*module, *machine, OutputKind::kObject));
  return result;
}

// Each kernel has its own LLVM context, so threads share no state.
std::vector<absl::StatusOr<Compiled>> CompileAll(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options) {
  InitializeLlvmTargets();
  HandleFatalErrors();
  std::vector<absl::StatusOr<Compiled>> results(
      kernels.size(), absl::InternalError("not compiled"));
  std::atomic<size_t> next{0};
  const CheckContext context = CheckContext::OfThisThread();
  const auto work = [&] {
    const InheritedCheckContext inherited(context);
    for (size_t i = next++; i < kernels.size(); i = next++) {
      results[i] = Compile(kernels[i], target, options);
    }
  };
  const size_t helpers =
      std::min<size_t>(std::max(options.threads - 1, 0),
                       kernels.empty() ? 0 : kernels.size() - 1);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < helpers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return results;
}

}  // namespace

absl::StatusOr<std::vector<KernelObject>> CompileToObjects(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options) {
  if (options.opt_level < 0 || options.opt_level > 3) {
    return absl::InvalidArgumentError(absl::StrCat(
        "optimisation level ", options.opt_level, " is not 0, 1, 2 or 3"));
  }
  std::vector<absl::StatusOr<Compiled>> results =
      CompileAll(kernels, target, options);
  std::vector<KernelObject> objects;
  for (size_t i = 0; i < kernels.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(Compiled compiled, std::move(results[i]));
    const std::string& name = kernels[i].name;
    if (options.dump) {
      options.dump(name, "ll", compiled.ll);
      options.dump(name, "opt.ll", compiled.opt_ll);
      options.dump(name, "s", compiled.assembly);
    }
    objects.push_back({name, std::move(compiled.object)});
  }
  return objects;
}

absl::StatusOr<CodeModule> GenerateLlvm(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<KernelObject> objects,
                         CompileToObjects(kernels, target, options));
  CodeModule module;
  module.kind = ASSAY_CODE_KIND_ELF;
  if (objects.empty()) return module;
  for (const KernelObject& object : objects) {
    ASSAY_ASSIGN_OR_RETURN(std::string digest, CodeDigest(object.image));
    module.digests.push_back(std::move(digest));
  }
  if (options.layout_seed != 0) {
    Rng rng(options.layout_seed);
    Shuffle(objects, rng);
  }
  ASSAY_ASSIGN_OR_RETURN(module.code, LinkSharedObject(objects, target));
  return module;
}

}  // namespace assay::codegen
