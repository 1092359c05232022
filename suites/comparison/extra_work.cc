#include "suites/comparison/extra_work.h"

#include <cmath>
#include <utility>

namespace assay::suites {

Arm WithExtraWork(Arm arm, double share) {
  return {
      arm.name, [run = std::move(arm.run), share](int64_t number) {
        return run(number + std::llround(static_cast<double>(number) * share));
      }};
}

}  // namespace assay::suites
