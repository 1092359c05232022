// ReproduceCommand: the command that measures one row again.
#ifndef ASSAY_SUITES_HARNESS_REPRODUCE_H_
#define ASSAY_SUITES_HARNESS_REPRODUCE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "devices/device.pb.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/services.h"

namespace assay::suites {

// Contains every flag that influences the numbers, even if it has its default
// value, because defaults may change. `device` is the value of --device.
std::string ReproduceCommand(const ModelSource& source, const Options& options,
                             absl::string_view device, bool fusion, int threads,
                             const devices::TimingPolicy& timing);

// Quotes a word for a POSIX shell if necessary.
std::string ShellWord(absl::string_view text);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_REPRODUCE_H_
