#include "suites/cause/cause.h"

#include "absl/strings/str_cat.h"
#include "suites/cause/first_difference.h"

namespace assay::suites {
namespace {

// A line of a graph or of loop IR can be long.
constexpr size_t kMaxLine = 120;

std::string Shortened(const std::string& line) {
  return line.size() <= kMaxLine ? line
                                 : absl::StrCat(line.substr(0, kMaxLine), "…");
}

}  // namespace

std::string CauseOf(const std::string& base_dump, const std::string& run_dump,
                    const reports::KernelChange& change) {
  if (change.same_code) return "";
  const auto difference =
      FirstDifference(change.sources, {base_dump, change.base_kernels},
                      {run_dump, change.run_kernels});
  if (!difference.ok() || difference->stage.empty()) return "";
  // The words of machine code and LLVM IR do not explain anything.
  if (difference->stage == "LLVM" || difference->stage == "code generation") {
    return difference->stage;
  }
  return absl::StrCat(difference->stage, ": ", Shortened(difference->before),
                      " -> ", Shortened(difference->after));
}

}  // namespace assay::suites
