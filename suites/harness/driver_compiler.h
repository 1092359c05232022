// DriverCompiler: the compiler proper, as the harness sees it.
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
  // What is the same for every row: all but `fusion` and `dump_dir`.
  explicit DriverCompiler(driver::CompileOptions options)
      : options_(std::move(options)) {}

  // The code suits `threads` threads; 0: as many as this machine has, on a
  // device that is this machine. A target that the device's file has wrong is
  // an InvalidArgument that names the device.
  absl::StatusOr<runtime::Artifact> Compile(
      const Model& model, const devices::Device& device, bool fusion,
      int threads, const std::string& dump_dir) override;

 private:
  driver::CompileOptions options_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_
