#include "compiler/graph/testing/pass_testing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/graph/parser.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

// Float32 rounding of a few dozen chained operators, relative to the largest
// result: each rounds once to 2^-24.
constexpr double kTolerance = 3e-5;

absl::Status CheckSeed(const PassList& passes, int seed) {
  const std::unique_ptr<Graph> before = RandomGraph(seed);
  const std::unique_ptr<Graph> graph = before->Clone();
  PassRunOptions options;
  options.verify_changed = true;
  ASSAY_RETURN_IF_ERROR(RunPasses(passes, *graph, options));
  const std::vector<NDArray> inputs = RandomInputs(*before, seed);
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> expected,
                         Evaluate(*before, inputs));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> actual,
                         Evaluate(*graph, inputs));
  const double error = MaxError(actual, expected);
  if (error > kTolerance) {
    return absl::InternalError(
        absl::StrCat("results differ by ", error, "\n", ToString(*graph)));
  }
  const ConstantStore store = CollectConstants(*graph);
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> reread,
                         ParseGraph(ToString(*graph), &store));
  if (ToString(*reread) != ToString(*graph)) {
    return absl::InternalError("the text does not read back");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunChecked(std::unique_ptr<Pass> pass, Graph& graph,
                        bool* changed) {
  PassList list;
  list.push_back(std::move(pass));
  PassRunOptions options;
  options.verify_changed = true;
  options.after_pass = [&](const PassEvent& event) {
    if (changed != nullptr) *changed = event.changed;
    return absl::OkStatus();
  };
  return RunPasses(list, graph, options);
}

std::string CheckPass(std::unique_ptr<Pass> pass, absl::string_view before,
                      absl::string_view after) {
  const std::unique_ptr<Graph> graph = GraphFromText(before);
  bool changed = false;
  const absl::Status status = RunChecked(std::move(pass), *graph, &changed);
  if (!status.ok()) return status.ToString();
  if (changed != (before != after)) {
    return absl::StrCat("the pass says ", changed ? "changed" : "unchanged",
                        "\n", ToString(*graph));
  }
  return DiffAgainstText(*graph, after);
}

double MaxError(const std::vector<NDArray>& actual,
                const std::vector<NDArray>& expected) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (actual.size() != expected.size()) return kInfinity;
  double scale = 1;
  double error = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    if (actual[i].dtype() != expected[i].dtype() ||
        actual[i].shape() != expected[i].shape()) {
      return kInfinity;
    }
    const auto a = actual[i].data<float>();
    const auto e = expected[i].data<float>();
    for (size_t k = 0; k < a.size(); ++k) {
      if (a[k] == e[k]) continue;  // equal infinities among them
      const double difference = std::fabs(static_cast<double>(a[k]) - e[k]);
      if (!(difference < kInfinity)) return kInfinity;
      error = std::max(error, difference);
      scale = std::max(scale, std::fabs(static_cast<double>(e[k])));
    }
  }
  return error / scale;
}

std::string CheckOnRandomGraphs(const std::function<PassList()>& passes,
                                int count) {
  for (int seed = 1; seed <= count; ++seed) {
    const absl::Status status = CheckSeed(passes(), seed);
    if (status.ok()) continue;
    return absl::StrCat("seed ", seed, ": ", status.ToString(), "\nbefore:\n",
                        ToString(*RandomGraph(seed)));
  }
  return "";
}

}  // namespace assay::graph
