#include "reports/result/comparison.h"

namespace assay::reports {

double SumOfChanges(const Attribution& attribution) {
  double sum = 0;
  for (const KernelChange& kernel : attribution.kernels) {
    sum += kernel.change_ms;
  }
  return sum;
}

}  // namespace assay::reports
