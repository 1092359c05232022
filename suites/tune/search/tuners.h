// The tuners by name, as --tuner selects them.
#ifndef ASSAY_SUITES_TUNE_SEARCH_TUNERS_H_
#define ASSAY_SUITES_TUNE_SEARCH_TUNERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/tuner/examples.h"
#include "compiler/tune/tuner/tuner.h"

namespace assay::suites {

// Returns `random`, `grid`, `genetic` and `xgb`, which learns from the results.
std::vector<std::string> TunerNames();

// Requires one of these names. `space` must outlive the tuner. `others` are the
// results of other tasks, from which `xgb` learns.
std::unique_ptr<tune::Tuner> MakeTuner(
    absl::string_view name, const tune::SearchSpace& space, uint64_t seed,
    const std::vector<tune::Examples>& others = {});

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_TUNERS_H_
