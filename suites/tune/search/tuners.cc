#include "suites/tune/search/tuners.h"

#include "compiler/tune/tuner/genetic_tuner.h"
#include "compiler/tune/tuner/model_tuner.h"
#include "compiler/tune/tuner/simple_tuners.h"
#include "runtime/base/check.h"

namespace assay::suites {

std::vector<std::string> TunerNames() {
  return {"random", "grid", "genetic", "xgb"};
}

std::unique_ptr<tune::Tuner> MakeTuner(
    absl::string_view name, const tune::SearchSpace& space, uint64_t seed,
    const std::vector<tune::Examples>& others) {
  if (name == "grid") return tune::MakeGridTuner(space);
  if (name == "random") return tune::MakeRandomTuner(space, seed);
  if (name == "genetic") return tune::MakeGeneticTuner(space, seed);
  CHECK_EQ(name, "xgb");
  return tune::MakeModelTuner(space, seed, others);
}

}  // namespace assay::suites
