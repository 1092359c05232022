#include "suites/tune/build/testing/product_request.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "compiler/graph/complete_text.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/kernel/workload.h"
#include "runtime/base/check.h"

namespace assay::suites {

BuildRequest ProductRequest(int mr, int columns) {
  const std::string text = absl::StrReplaceAll(
      R"(graph net(%x: float32[24,40], %w: float32[40,N]) -> (out=%1) {
  %1: float32[24,N] = kernel(%x, %w) {
    graph k(%p0: float32[24,40], %p1: float32[40,N]) -> (%1) {
      %1: float32[24,N] = matmul(%p0, %p1)
    }
  }
}
constants:
)",
      {{"N", absl::StrCat(columns)}});
  const auto graph = graph::ParseCompleteText(text);
  CHECK(graph.ok()) << graph.status();
  const graph::Node& kernel = *(*graph)->outputs()[0].value.node;
  const auto config = ops::Config::Parse(
      absl::StrCat("mr=", mr, " nr=8 mc=1 kc=40 nc=1 parallel=0"));
  CHECK(config.ok()) << config.status();
  return {ops::WorkloadKey(*kernel.attrs_as<graph::KernelAttrs>().body),
          *target::Target::Parse("bytecode"),
          {"matmul.blocked", *config},
          text};
}

}  // namespace assay::suites
