#include "runtime/tools/count/count_kernels.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/abi/abi.h"
#include "runtime/artifact/validate.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "runtime/tools/count/counted_run.h"

namespace assay::runtime {
namespace {

constexpr char kFile[] = "artifact";

// Returns the machine for which the code of an artifact is, from the field
// e_machine in the header of its ELF file.
absl::StatusOr<std::string> MachineOf(const Artifact& artifact) {
  if (artifact.code_kind != ASSAY_CODE_KIND_ELF) {
    return absl::InvalidArgumentError(
        absl::StrCat("the artifact has no machine code whose instructions "
                     "could be counted, but code of the kind `",
                     artifact.code_kind, "`"));
  }
  constexpr size_t kMachineAt = 18;
  if (artifact.code.size() < kMachineAt + 2) {
    return absl::InvalidArgumentError("the code of the artifact is truncated");
  }
  const auto byte = [&](size_t at) {
    return static_cast<unsigned char>(artifact.code[at]);
  };
  const int machine = byte(kMachineAt) | byte(kMachineAt + 1) << 8;
  switch (machine) {
    case 40:
      return "armhf";
    case 62:
      return "x86_64";
    case 183:
      return "aarch64";
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          "instructions cannot be counted for the machine with the ELF number ",
          machine, ", only for aarch64, armhf and x86_64"));
  }
}

// The processors of targets of which qemu 7.2 has a model.
struct EmulatedCpu {
  absl::string_view machine;
  absl::string_view cpu;
};
constexpr EmulatedCpu kEmulatedCpus[] = {
    {"aarch64", "cortex-a53"},  {"aarch64", "cortex-a57"},
    {"aarch64", "cortex-a72"},  {"aarch64", "cortex-a76"},
    {"aarch64", "neoverse-n1"}, {"armhf", "cortex-a15"},
    {"armhf", "cortex-a7"},     {"armhf", "cortex-a8"},
    {"armhf", "cortex-a9"},
};

std::string DefaultCpu(const std::string& machine, const Artifact& artifact) {
  const auto cpu = artifact.metadata.find(kMetaTargetCpu);
  if (cpu == artifact.metadata.end()) return "max";
  const bool emulated =
      std::any_of(std::begin(kEmulatedCpus), std::end(kEmulatedCpus),
                  [&](const EmulatedCpu& row) {
                    return row.machine == machine && row.cpu == cpu->second;
                  });
  return emulated ? cpu->second : "max";
}

// qemu 7.2 has no AVX-512. Code for such a target nearly always has some of it,
// and this saves the time to start it.
bool MayHaveAvx512(const Artifact& artifact) {
  const auto features = artifact.metadata.find(kMetaTargetFeatures);
  return features != artifact.metadata.end() &&
         absl::StrContains(features->second, "+avx512f");
}

}  // namespace

absl::StatusOr<KernelCounts> CountKernels(const std::string& program,
                                          const Artifact& artifact,
                                          const CountOptions& options) {
  ASSAY_RETURN_IF_ERROR(Validate(artifact));
  KernelCounts counts;
  if (artifact.calls.empty()) return counts;
  ASSAY_ASSIGN_OR_RETURN(counts.machine, MachineOf(artifact));
  if (counts.machine == "x86_64" && MayHaveAvx512(artifact)) {
    return absl::InvalidArgumentError(
        "the code is for a processor with AVX-512, which qemu does not "
        "emulate");
  }
  counts.cpu =
      options.cpu.empty() ? DefaultCpu(counts.machine, artifact) : options.cpu;
  ASSAY_ASSIGN_OR_RETURN(
      const CountedRun run,
      CountedRun::Create(program,
                         {counts.machine, counts.cpu, options.time_limit_s}));
  ASSAY_RETURN_IF_ERROR(WriteArtifact(JoinPath(run.folder(), kFile), artifact));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string run_marked,
      FindRunfile(program, absl::StrCat("assay/runtime/tools/count/run_marked_",
                                        counts.machine)));
  ASSAY_ASSIGN_OR_RETURN(
      counts.calls, run.Run(run_marked, {kFile, absl::StrCat(options.seed)}));
  if (counts.calls.size() != artifact.calls.size() + 1) {
    return absl::InternalError(
        absl::StrCat("there are counts of ", counts.calls.size(),
                     " regions instead of ", artifact.calls.size() + 1));
  }
  // The first region is empty.
  const RegionCounts marker = counts.calls[0];
  counts.calls.erase(counts.calls.begin());
  for (RegionCounts& call : counts.calls) call -= marker;
  return counts;
}

}  // namespace assay::runtime
