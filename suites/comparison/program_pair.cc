#include "suites/comparison/program_pair.h"

namespace assay::suites {

PairPlacement DrawPlacement(Rng& rng) {
  PairPlacement placement;
  placement.seed = rng.NextU64() | 1;
  placement.run_first = rng.UniformInt(0, 1) == 1;
  return placement;
}

}  // namespace assay::suites
