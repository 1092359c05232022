#include "compiler/codegen/llvm/optimize.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace assay::codegen {
namespace {

// Kernels link to no library, so LLVM must not recognize or call library
// functions.
llvm::TargetLibraryInfoImpl NoLibrary(const llvm::Module& module) {
  llvm::TargetLibraryInfoImpl library(llvm::Triple(module.getTargetTriple()));
  library.disableAllFunctions();
  return library;
}

// Disables loop strength reduction in LLVM's code generator. It would use a
// separate pointer for each unrolled access, a dozen instead of one with
// constant offsets, more than the registers hold.
class NoStrengthReduction : public llvm::OptPassGate {
 public:
  bool isEnabled() const override { return true; }
  bool shouldRunPass(const llvm::StringRef pass,
                     llvm::StringRef /*description*/) override {
    return pass != "Loop Strength Reduction";
  }
};

llvm::OptimizationLevel LevelOf(int opt_level) {
  switch (opt_level) {
    case 1:
      return llvm::OptimizationLevel::O1;
    case 2:
      return llvm::OptimizationLevel::O2;
    default:
      return llvm::OptimizationLevel::O3;
  }
}

llvm::ModulePassManager DefaultPasses(llvm::PassBuilder& builder,
                                      int opt_level) {
  return opt_level == 0
             ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
             : builder.buildPerModuleDefaultPipeline(LevelOf(opt_level));
}

// The passes for a kernel whose loops have the shape that its schedule chose.
// The default passes of LLVM take three times as long, and leave nearly the
// same inner loops. The order matters:
//   - A loop that is marked for it is unrolled first. Arrays that are indexed
//     by its variable then become registers.
//   - Conditions that guard padding are merged and hoisted before the sums are
//     formed, since a multiplication and an addition are fused only if they are
//     in the same block.
llvm::ModulePassManager ShapedLoopPasses() {
  llvm::LoopPassManager unroll;
  unroll.addPass(
      llvm::LoopFullUnrollPass(/*OptLevel=*/3, /*OnlyWhenForced=*/true));
  llvm::LoopPassManager hoist;
  hoist.addPass(llvm::LICMPass(llvm::LICMOptions()));
  hoist.addPass(llvm::SimpleLoopUnswitchPass(/*NonTrivial=*/true));

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(unroll)));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::JumpThreadingPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ReassociatePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(hoist),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::DSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager module_passes;
  module_passes.addPass(
      llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  return module_passes;
}

}  // namespace

void OptimizeModule(llvm::Module& module, llvm::TargetMachine& machine,
                    int opt_level, bool vectorize_loops) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = vectorize_loops;
  tuning.LoopInterleaving = vectorize_loops;
  tuning.LoopUnrolling = false;
  tuning.SLPVectorization = false;

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager call_graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  functions.registerPass(
      [&] { return llvm::TargetLibraryAnalysis(NoLibrary(module)); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(call_graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, call_graph, modules);
  const bool shaped = opt_level > 1 && !vectorize_loops;
  llvm::ModulePassManager passes =
      shaped ? ShapedLoopPasses() : DefaultPasses(builder, opt_level);
  passes.run(module, modules);
}

absl::StatusOr<std::string> EmitMachineCode(llvm::Module& module,
                                            llvm::TargetMachine& machine,
                                            OutputKind kind) {
  NoStrengthReduction gate;
  module.getContext().setOptPassGate(gate);
  llvm::SmallString<0> output;
  llvm::raw_svector_ostream stream(output);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(NoLibrary(module)));
  const llvm::CodeGenFileType type = kind == OutputKind::kObject
                                         ? llvm::CodeGenFileType::ObjectFile
                                         : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type)) {
    return absl::InternalError(absl::StrCat("LLVM emits no machine code for `",
                                            module.getTargetTriple(), "`"));
  }
  passes.run(module);
  module.getContext().setOptPassGate(llvm::getGlobalPassGate());
  return std::string(output.begin(), output.end());
}

}  // namespace assay::codegen
