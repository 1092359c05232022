#include "runtime/device/interpreter/interpreter_device.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/interpreter/run_kernel.h"

namespace assay::runtime {
namespace {

class InterpretedKernel : public BoundKernel {
 public:
  InterpretedKernel(const BytecodeKernel& kernel, std::vector<char*> parameters)
      : kernel_(kernel), parameters_(std::move(parameters)) {}

  absl::Status Run() override { return RunBytecode(kernel_, parameters_); }

 private:
  const BytecodeKernel& kernel_;
  const std::vector<char*> parameters_;
};

class InterpretedModule : public Module {
 public:
  explicit InterpretedModule(Program program) : program_(std::move(program)) {}

  absl::StatusOr<std::unique_ptr<BoundKernel>> Bind(
      const std::string& symbol, absl::Span<const BufferView> args) override {
    for (const BytecodeKernel& kernel : program_.kernels) {
      if (kernel.name == symbol) return BindKernel(kernel, args);
    }
    return absl::NotFoundError(
        absl::StrCat("the code has no kernel `", symbol, "`"));
  }

 private:
  static absl::StatusOr<std::unique_ptr<BoundKernel>> BindKernel(
      const BytecodeKernel& kernel, absl::Span<const BufferView> args) {
    if (args.size() != static_cast<size_t>(kernel.num_parameters)) {
      return absl::InvalidArgumentError(
          absl::StrCat("kernel `", kernel.name, "` has ", kernel.num_parameters,
                       " parameters, not ", args.size()));
    }
    std::vector<char*> parameters;
    for (size_t i = 0; i < args.size(); ++i) {
      ASSAY_RETURN_IF_ERROR(CheckView(args[i]));
      const BytecodeBuffer& buffer = kernel.buffers[i];
      if (args[i].bytes / buffer.type.bytes() < buffer.count) {
        return absl::InvalidArgumentError(absl::StrCat(
            "parameter ", i, " of kernel `", kernel.name, "` has ",
            buffer.count, " elements of type ", buffer.type.ToString(),
            ", more than fit in ", args[i].bytes, " bytes"));
      }
      parameters.push_back(HostMemoryDevice::Address(args[i]));
    }
    return std::make_unique<InterpretedKernel>(kernel, std::move(parameters));
  }

  const Program program_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<InterpreterDevice>> InterpreterDevice::Create(
    int num_threads) {
  if (num_threads != 0 && num_threads != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the interpreter runs on one thread, not on ", num_threads));
  }
  return std::make_unique<InterpreterDevice>();
}

// Clearing a new buffer goes over all of it, and there is only this thread.
absl::Status InterpreterDevice::FlushCaches(int64_t bytes) {
  return Allocate(bytes).status();
}

absl::StatusOr<std::unique_ptr<Module>> InterpreterDevice::LoadCode(
    absl::string_view code, uint64_t /*placement_seed*/) {
  ASSAY_ASSIGN_OR_RETURN(Program program, ParseProgram(code));
  return std::make_unique<InterpretedModule>(std::move(program));
}

}  // namespace assay::runtime
