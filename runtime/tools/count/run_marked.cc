// run_marked ARTIFACT SEED: runs an artifact on one thread, with a region
// (region_marker.h) around each kernel call. CountKernels() runs this program
// under qemu.
//
// The artifact runs twice, and only the second run has regions: in the first
// one the runtime allocates the workspaces of the kernels, which later runs
// reuse. Before the regions of the calls is an empty region. It shows what the
// markers themselves execute.
#include <alloca.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/device.h"
#include "runtime/devices/devices.h"
#include "runtime/executor/executor.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/tools/count/region_marker.h"

namespace assay::runtime {
namespace {

// Functions, so that the regions of calls and the empty region have the same
// instructions around them.
__attribute__((noinline)) void Begin() { BeginRegion(); }
__attribute__((noinline)) void End() { EndRegion(); }

absl::Status Run(const std::string& path, uint64_t seed) {
  ASSAY_ASSIGN_OR_RETURN(const Artifact artifact, ReadArtifact(path));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Device> device,
                         CreateDevice(artifact.code_kind, /*num_threads=*/1));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Executor> executor,
                         Executor::Create(artifact, device.get()));
  ASSAY_RETURN_IF_ERROR(executor->SetInputs(SeededInputs(artifact, seed)));
  ASSAY_RETURN_IF_ERROR(executor->Run());
  Begin();
  End();
  return executor->RunMarked(Begin, End);
}

int Main(int argc, char** argv) {
  uint64_t seed = 0;
  if (argc != 3 || !absl::SimpleAtoi(argv[2], &seed)) {
    std::cerr << "usage: run_marked ARTIFACT SEED\n";
    return static_cast<int>(ExitCode::kUsage);
  }
  const absl::Status status = Run(argv[1], seed);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return static_cast<int>(ExitCodeOf(status));
}

}  // namespace
}  // namespace assay::runtime

int main(int argc, char** argv) {
  // The stack begins below the path of this program, whose length differs from
  // machine to machine. Continue at a multiple of the size of a page, less a
  // constant, so that the cache lines of stack frames are the same everywhere.
  void* stack =
      alloca(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) % 4096);
  asm volatile("" : : "r"(stack) : "memory");  // keeps the allocation
  return assay::runtime::Main(argc, argv);
}
