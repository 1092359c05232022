#include "compiler/codegen/llvm/host_target.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/codegen/llvm/target_machine.h"
#include "compiler/target/cpu_table.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/matrix_unit.h"

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

// The features of a machine, by name.
using Features = llvm::StringMap<bool>;
using CpuInfo = std::unique_ptr<llvm::MCSubtargetInfo>;

// The features of the machine that `cpu` lacks, with `+`, and those that only
// `cpu` has, with `-`.
std::vector<std::string> FeatureDifferences(const Features& host,
                                            const llvm::MCSubtargetInfo& cpu) {
  std::vector<std::string> differences;
  for (const llvm::SubtargetFeatureKV& row : cpu.getAllProcessorFeatures()) {
    const auto found = host.find(row.Key);
    if (found == host.end()) continue;
    const bool by_name = cpu.getFeatureBits().test(row.Value);
    if (found->second == by_name) continue;
    differences.push_back(absl::StrCat(found->second ? "+" : "-", row.Key));
  }
  return differences;
}

bool IsFromAmd(absl::string_view cpu) { return absl::StartsWith(cpu, "zn"); }

// Returns the processor of the table that resembles the machine most, if LLVM's
// name for it is not in the table: the one of the same vendor with the fewest
// features of which only one of them has them. A hypervisor can give a machine
// the model number of an older processor, or of one that the table lacks, and
// schedules know nothing of a processor that is not in the table. Returns
// `name` if no processor of the table resembles it.
std::string NearestCpu(const llvm::Target& machine, const std::string& triple,
                       const std::string& name, const Features& host) {
  std::string nearest = name;
  size_t fewest =
      FeatureDifferences(
          host, *CpuInfo(machine.createMCSubtargetInfo(triple, "", "")))
          .size();
  for (const target::CpuRow& row : target::CpuTable()) {
    if (row.arch != target::Arch::kX86_64) continue;
    if (IsFromAmd(row.name) != IsFromAmd(name)) continue;
    const CpuInfo cpu(machine.createMCSubtargetInfo(triple, row.name, ""));
    const size_t differences = FeatureDifferences(host, *cpu).size();
    if (differences >= fewest) continue;
    fewest = differences;
    nearest = row.name;
  }
  return nearest;
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
  Features host = llvm::sys::getHostCPUFeatures();
  if (!runtime::EnableMatrixUnit()) {
    for (const char* feature : {"amx-tile", "amx-bf16", "amx-int8"}) {
      host[feature] = false;
    }
  }
  if (machine->getName() == std::string("x86-64") &&
      target::FindCpu(target::Arch::kX86_64, spec.cpu) == nullptr) {
    spec.cpu = NearestCpu(*machine, triple, spec.cpu, host);
  }
  // A processor that this LLVM does not know is described by its features
  // alone.
  CpuInfo cpu(machine->createMCSubtargetInfo(triple, "", ""));
  if (cpu->isCPUStringValid(spec.cpu)) {
    cpu.reset(machine->createMCSubtargetInfo(triple, spec.cpu, ""));
  } else {
    spec.cpu.clear();
  }
  spec.features = FeatureDifferences(host, *cpu);
  return target::Target::Make(spec);
}

}  // namespace assay::codegen
