// ProgramCode: the loaded code of an artifact. It shares each kernel that has
// the same machine code in another program, so that both programs run the
// kernel at the same address (Executor::Options::beside).
//
// An artifact can state a wrong KernelCall::code_digest, so kernels with the
// same digest are shared only if their code is equal (Module::CodeOf).
#ifndef ASSAY_RUNTIME_EXECUTOR_PROGRAM_CODE_H_
#define ASSAY_RUNTIME_EXECUTOR_PROGRAM_CODE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"
#include "runtime/device/device.h"

namespace assay::runtime {

class ProgramCode {
 public:
  // The code of no kernels.
  ProgramCode() = default;

  // Loads the code of `artifact`, unless there are no calls or all kernels are
  // shared. The device draws the address of the code from `seed`. `beside` is
  // the code of another program on the device, or null. `beside_artifact` is
  // its artifact, or null if that is unknown.
  static absl::StatusOr<ProgramCode> Load(const Artifact& artifact,
                                          Device* device, uint64_t seed,
                                          const ProgramCode* beside,
                                          const Artifact* beside_artifact);

  // Returns the symbol in `beside` of the kernel `symbol`, or an empty string
  // if the kernel is not shared.
  std::string SharedSymbol(const std::string& symbol) const;

  // Binds the kernel `symbol` of a call of the artifact to its arguments
  // (Module::Bind).
  absl::StatusOr<std::unique_ptr<BoundKernel>> Bind(
      const std::string& symbol, absl::Span<const BufferView> args) const;

 private:
  void ShareKernels(const Artifact& artifact, const Module* own,
                    const ProgramCode& beside);

  // The modules of `beside` come first. They last as long as this object.
  std::vector<std::shared_ptr<Module>> modules_;
  // Symbols by the digest that the artifact states for them.
  std::map<std::string, std::set<std::string>> claimed_;
  // Symbols in modules_[0], by symbol in the artifact.
  std::map<std::string, std::string> shared_;
};

// Returns the setup calls, followed by the other calls.
std::vector<const KernelCall*> AllCalls(const Artifact& artifact);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_EXECUTOR_PROGRAM_CODE_H_
