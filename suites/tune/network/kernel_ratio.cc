#include "suites/tune/network/kernel_ratio.h"

#include <algorithm>
#include <cstdint>

#include "reports/stats/summary.h"

namespace assay::suites {
namespace {

bool Intersect(const std::vector<std::string>& a,
               const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) {
    return std::find(b.begin(), b.end(), name) != b.end();
  });
}

// Returns the time of the calls, or 0 if a call was not measured.
double TimeOf(const PairedLoads::Times& times,
              const std::vector<int64_t>& calls) {
  double sum = 0;
  for (const int64_t call : calls) {
    const auto index = static_cast<size_t>(call);
    if (index >= times.call_ns.size()) return 0;
    sum += times.call_ns[index];
  }
  return sum;
}

}  // namespace

std::optional<double> KernelRatio(const std::vector<AlignedKernels>& parts,
                                  const std::vector<PairedLoads::Load>& loads,
                                  const std::vector<std::string>& nodes) {
  std::vector<int64_t> untuned, tuned;  // calls
  for (const AlignedKernels& part : parts) {
    if (!Intersect(part.sources, nodes)) continue;
    untuned.insert(untuned.end(), part.base.begin(), part.base.end());
    tuned.insert(tuned.end(), part.run.begin(), part.run.end());
  }
  std::vector<double> ratios;
  for (const PairedLoads::Load& load : loads) {
    const double before = TimeOf(load.base, untuned);
    const double after = TimeOf(load.run, tuned);
    if (before > 0 && after > 0) ratios.push_back(after / before);
  }
  if (ratios.empty()) return std::nullopt;
  return stats::Percentile(ratios, 50);
}

}  // namespace assay::suites
