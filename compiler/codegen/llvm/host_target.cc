#include "compiler/codegen/llvm/host_target.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/target_machine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

absl::StatusOr<std::string> HostTriple() {
  switch (llvm::Triple(llvm::sys::getProcessTriple()).getArch()) {
    case llvm::Triple::x86_64:
      return std::string("x86_64-linux-gnu");
    case llvm::Triple::aarch64:
      return std::string("aarch64-linux-gnu");
    case llvm::Triple::arm:
      return std::string("arm-linux-gnueabihf");
    default:
      return absl::UnimplementedError(
          absl::StrCat("kernels cannot be compiled for this machine, `",
                       llvm::sys::getProcessTriple(), "`"));
  }
}

// The features of this machine that `cpu` lacks, with `+`, and those that only
// `cpu` has, with `-`.
std::vector<std::string> FeatureDifferences(const llvm::MCSubtargetInfo& cpu) {
  std::vector<std::string> differences;
  const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  for (const llvm::SubtargetFeatureKV& row : cpu.getAllProcessorFeatures()) {
    const auto found = host.find(row.Key);
    if (found == host.end()) continue;
    const bool by_name = cpu.getFeatureBits().test(row.Value);
    if (found->second == by_name) continue;
    differences.push_back(absl::StrCat(found->second ? "+" : "-", row.Key));
  }
  return differences;
}

}  // namespace

absl::StatusOr<target::Target> HostTarget() {
  InitializeLlvmTargets();
  target::TargetSpec spec;
  ASSAY_ASSIGN_OR_RETURN(spec.triple, HostTriple());
  spec.cpu = llvm::sys::getHostCPUName().str();
  const std::string triple = llvm::Triple::normalize(spec.triple);
  std::string error;
  const llvm::Target* machine =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (machine == nullptr) return absl::InternalError(error);
  // A processor that this LLVM does not know is described by its features
  // alone.
  std::unique_ptr<llvm::MCSubtargetInfo> cpu(
      machine->createMCSubtargetInfo(triple, "", ""));
  if (cpu->isCPUStringValid(spec.cpu)) {
    cpu.reset(machine->createMCSubtargetInfo(triple, spec.cpu, ""));
  } else {
    spec.cpu.clear();
  }
  spec.features = FeatureDifferences(*cpu);
  return target::Target::Make(spec);
}

}  // namespace assay::codegen
