// DriverCompiler: implements the compiler interface of the harness.
#ifndef ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_
#define ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"
#include "suites/harness/services.h"

namespace assay::suites {

class DriverCompiler : public Compiler {
 public:
  // The options of all rows; `fusion` and `dump_dir` are set for each row.
  explicit DriverCompiler(driver::CompileOptions options)
      : options_(std::move(options)) {}

  // Generates code for `threads` threads; 0 stands for all processors if the
  // device is this machine. An invalid target in the device file is an
  // InvalidArgument that names the device.
  absl::StatusOr<runtime::Artifact> Compile(
      const Model& model, const devices::Device& device, bool fusion,
      int threads, const std::string& dump_dir) override;

 private:
  driver::CompileOptions options_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_
