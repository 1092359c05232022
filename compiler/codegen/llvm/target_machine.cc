#include "compiler/codegen/llvm/target_machine.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

bool InitializeOnce() {
#define ASSAY_INITIALIZE(Name)        \
  LLVMInitialize##Name##TargetInfo(); \
  LLVMInitialize##Name##Target();     \
  LLVMInitialize##Name##TargetMC();   \
  LLVMInitialize##Name##AsmPrinter()
  ASSAY_INITIALIZE(AArch64);
  ASSAY_INITIALIZE(ARM);
  ASSAY_INITIALIZE(X86);
#undef ASSAY_INITIALIZE
  return true;
}

// LLVM only prints a warning to stderr for unknown names.
absl::Status CheckNames(const llvm::Target& machine, const std::string& triple,
                        const target::Target& target) {
  const std::unique_ptr<llvm::MCSubtargetInfo> info(
      machine.createMCSubtargetInfo(triple, "", ""));
  if (!info->isCPUStringValid(target.cpu())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`-mcpu=", target.cpu(), "` is not a processor that LLVM knows for `",
        target.triple(), "`"));
  }
  for (const std::string& feature : target.features()) {
    bool known = false;
    for (const llvm::SubtargetFeatureKV& row :
         info->getAllProcessorFeatures()) {
      known = known || feature.substr(1) == row.Key;
    }
    if (!known) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`", feature, "` in `-mattr` is not a feature that LLVM knows for `",
          target.triple(), "`"));
    }
  }
  return absl::OkStatus();
}

llvm::CodeGenOptLevel CodeGenLevel(int opt_level) {
  switch (opt_level) {
    case 0:
      return llvm::CodeGenOptLevel::None;
    case 1:
      return llvm::CodeGenOptLevel::Less;
    case 2:
      return llvm::CodeGenOptLevel::Default;
    default:
      return llvm::CodeGenOptLevel::Aggressive;
  }
}

// In the small model, AArch64 code finds its constants by the number of their
// page, so it would read others if it were loaded at an offset that is no
// multiple of a page (kernel_image.h). In the tiny model, distances are exact.
// They are at most 1 MiB, and constants are next to their kernel
// (object/link.h).
llvm::CodeModel::Model CodeModelOf(const target::Target& target) {
  return target.arch() == target::Arch::kAArch64 ? llvm::CodeModel::Tiny
                                                 : llvm::CodeModel::Small;
}

}  // namespace

void InitializeLlvmTargets() {
  static const bool done = InitializeOnce();
  (void)done;
}

std::string LlvmTriple(const target::Target& target) {
  absl::string_view triple = target.triple();
  if (absl::ConsumePrefix(&triple, "arm-")) {
    return llvm::Triple::normalize(absl::StrCat("armv7-", triple));
  }
  return llvm::Triple::normalize(target.triple());
}

std::string LlvmFeatures(const target::Target& target) {
  std::vector<std::string> features = target.features();
  if (target.arch() == target::Arch::kArm && target.HasFeature("neon")) {
    features.insert(features.begin(), "+neon");
  }
  return absl::StrJoin(features, ",");
}

absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> CreateTargetMachine(
    const target::Target& target, int opt_level) {
  InitializeLlvmTargets();
  const std::string triple = LlvmTriple(target);
  std::string error;
  const llvm::Target* machine =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (machine == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("`-mtriple=", target.triple(), "`: ", error));
  }
  ASSAY_RETURN_IF_ERROR(CheckNames(*machine, triple, target));
  llvm::TargetOptions options;
  // Kernels run with the default rounding mode and masked exceptions.
  options.NoTrappingFPMath = true;
  return std::unique_ptr<llvm::TargetMachine>(machine->createTargetMachine(
      triple, target.cpu(), LlvmFeatures(target), options, llvm::Reloc::PIC_,
      CodeModelOf(target), CodeGenLevel(opt_level)));
}

}  // namespace assay::codegen
