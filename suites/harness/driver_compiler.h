// DriverCompiler: implements the interface Compiler of the harness with
// driver::Compile().
#ifndef ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_
#define ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/driver/compile_options.h"
#include "suites/harness/row_tuning.h"
#include "suites/harness/services.h"

namespace assay::suites {

// Returns where a program runs and for what it is compiled. The number of cores
// of the target is
//   - the number that the target of the device specifies (option -num-cores),
//     if it specifies a number;
//   - otherwise the number of threads, if it is not 0;
//   - otherwise the number of usable processors of this machine, if the device
//     runs programs in this process;
//   - otherwise unknown (Target::num_cores() is 0).
// Returns an error that names the device if its target is invalid.
absl::StatusOr<TunedPlace> ResolvePlace(const CompileTarget& request);

class DriverCompiler : public Compiler {
 public:
  // `options` apply to all rows, except that the arguments of Compile() replace
  // the fields `fusion` and `dump_dir`. Without `tuning`, nothing can be tuned.
  explicit DriverCompiler(driver::CompileOptions options,
                          std::optional<RowTuning> tuning = std::nullopt)
      : options_(std::move(options)), tuning_(std::move(tuning)) {}

  // Generates code for the target of ResolvePlace(). Returns the error of
  // CanTune() if the variant is tuned.
  absl::StatusOr<CompiledModel> Compile(const Model& model,
                                        const CompileTarget& target,
                                        const reports::Variant& variant,
                                        const std::string& dump_dir) override;
  absl::Status CanTune(const CompileTarget& target) const override;

 private:
  driver::CompileOptions options_;
  std::optional<RowTuning> tuning_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_DRIVER_COMPILER_H_
