#include "suites/cause/work_counts.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {
namespace {

// The symbols of these calls, by which an attribution names kernels.
std::vector<std::string> SymbolsOf(
    const std::vector<int64_t>& indices,
    absl::Span<const runtime::KernelCall> calls) {
  std::vector<std::string> symbols;
  for (const int64_t index : indices) {
    symbols.push_back(calls[static_cast<size_t>(index)].symbol);
  }
  return symbols;
}

}  // namespace

void AddWorkCounts(const CountedCalls& base, const CountedCalls& run,
                   reports::Attribution* attribution) {
  for (const WorkChange& change : CompareWork(base, run)) {
    const std::vector<std::string> base_kernels =
        SymbolsOf(change.base, base.calls);
    const std::vector<std::string> run_kernels =
        SymbolsOf(change.run, run.calls);
    for (reports::KernelChange& kernel : attribution->kernels) {
      if (kernel.work.has_value() || kernel.sources != change.sources ||
          kernel.base_kernels != base_kernels ||
          kernel.run_kernels != run_kernels) {
        continue;
      }
      kernel.work = reports::WorkCounts{
          ToString(change.work), change.base_counts.Total(),
          change.run_counts.Total(), change.base_counts.Bytes(),
          change.run_counts.Bytes()};
      break;
    }
  }
}

}  // namespace assay::suites
