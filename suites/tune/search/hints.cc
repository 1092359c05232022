#include "suites/tune/search/hints.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/op_instance.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<std::vector<AutoTvmConv2d>> ReadHints(const std::string& path) {
  std::vector<AutoTvmConv2d> hints;
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    const auto hint = ParseAutoTvmLine(line);
    if (hint.ok()) {
      hints.push_back(*hint);
    } else if (!absl::IsNotFound(hint.status())) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, " of `", path,
                       "` is no record of AutoTVM: ", hint.status().message()));
    }
  }
  return hints;
}

std::vector<driver::TunedKernel> HintsFor(
    const std::vector<AutoTvmConv2d>& hints, const tune::Task& task) {
  std::vector<driver::TunedKernel> points;
  const graph::Node& kernel = *task.kernel->outputs().front().value.node;
  const graph::Node* const anchor =
      ops::AnchorOf(*kernel.attrs_as<graph::KernelAttrs>().body);
  if (anchor == nullptr) return points;
  const ops::OpInstance op = ops::InstanceOf(*anchor);
  for (const AutoTvmConv2d& hint : hints) {
    if (auto point = HintedPoint(hint, op)) points.push_back(*std::move(point));
  }
  return points;
}

}  // namespace assay::suites
