#include "compiler/codegen/llvm/host_target.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "compiler/codegen/llvm/target_machine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

constexpr char kNative[] = "-mcpu=native";

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

// The features of this machine that `cpu` has not by itself, and the reverse.
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
  // A processor younger than LLVM has only its features to speak for it.
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

absl::StatusOr<target::Target> ResolveTarget(absl::string_view text) {
  std::vector<absl::string_view> words =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  bool native = false;
  for (absl::string_view& word : words) native = native || word == kNative;
  if (!native) return target::Target::Parse(text);

  ASSAY_ASSIGN_OR_RETURN(const target::Target host, HostTarget());
  std::string resolved = host.ToString();
  for (absl::string_view word : words) {
    if (word == kNative || word == "llvm") continue;
    if (!absl::StartsWith(word, "-num-cores=")) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", word, "` cannot stand beside `", kNative,
                       "`, which says everything about the machine"));
    }
    absl::StrAppend(&resolved, " ", word);
  }
  return target::Target::Parse(resolved);
}

}  // namespace assay::codegen
