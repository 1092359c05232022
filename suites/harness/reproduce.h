// ReproduceCommand: writes the command that measures one row again.
#ifndef ASSAY_SUITES_HARNESS_REPRODUCE_H_
#define ASSAY_SUITES_HARNESS_REPRODUCE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "devices/device.pb.h"
#include "reports/result/variant.h"
#include "suites/harness/compiler/compiler.h"
#include "suites/harness/flags/options.h"

namespace assay::suites {

// Returns a `./bazelw run` command. It contains every flag that influences the
// outputs or the times of the row, with these rules for default values:
//   - Device, fusion, number of threads, warm-up, number of runs and samples,
//     minimum sample time, and seed are always stated, because their defaults
//     depend on the device and may change.
//   - Tuning and its log are stated only if the row is tuned, so that the
//     commands of untuned rows are the same as in older results.
//   - Other flags may be omitted if they have their default values.
// `device` is the value of --device.
std::string ReproduceCommand(const ModelSource& source, const Options& options,
                             absl::string_view device,
                             const reports::Variant& variant, int threads,
                             const devices::TimingPolicy& timing);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_REPRODUCE_H_
