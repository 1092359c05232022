// The flags that //ci:bisect and //ci:bisect_step have in common.
#ifndef ASSAY_CI_BISECT_BISECT_FLAGS_H_
#define ASSAY_CI_BISECT_BISECT_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "ci/bisect/bisect.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay::ci {

struct BisectFlags {
  BisectOptions options;
  std::string metric = "auto";
};

// Adds the flags to `app`, which passes those that it does not know to the
// suite. `flags` must outlive `app`.
void DeclareBisectFlags(CLI::App& app, BisectFlags* flags);

// Completes `flags->options` after `app` was parsed. `program` is the name for
// the error if the program was not started by Bazel.
absl::Status FinishBisectFlags(const CLI::App& app, const std::string& program,
                               BisectFlags* flags);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_BISECT_FLAGS_H_
