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
  llvm::ModulePassManager passes =
      opt_level == 0
          ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
          : builder.buildPerModuleDefaultPipeline(LevelOf(opt_level));
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
