// ReproduceCommand: what to type to measure one row again.
#ifndef ASSAY_SUITES_HARNESS_REPRODUCE_H_
#define ASSAY_SUITES_HARNESS_REPRODUCE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "devices/device.pb.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/services.h"

namespace assay::suites {

// Spells out every flag that has an influence on the numbers, so that it does
// not depend on defaults that may change. `device` is the text given for
// --device.
std::string ReproduceCommand(const ModelSource& source, const Options& options,
                             absl::string_view device, bool fusion, int threads,
                             const devices::TimingPolicy& timing);

// One word for a POSIX shell, in quotes if it needs them.
std::string ShellWord(absl::string_view text);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_REPRODUCE_H_
