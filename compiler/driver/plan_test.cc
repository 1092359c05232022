// Compares the planned memory of the suites' models with the largest number of
// bytes that are live at once, which is a lower bound.
#include "compiler/driver/plan.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "compiler/driver/compile_options.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/stages.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/views.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/abi/abi.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/check.h"
#include "suites/models/catalog.h"

namespace assay::driver {
namespace {

// Bytes of intermediate values.
struct Memory {
  int64_t arena = 0;  // size of the arena
  int64_t live = 0;   // maximum that is live at once
  int64_t sum = 0;    // total size of all values
};

int64_t Number(const runtime::Artifact& plan, const char* key) {
  int64_t value = 0;
  CHECK(absl::SimpleAtoi(plan.metadata.at(key), &value)) << key;
  return value;
}

// Plans without generating code, so that models can have their full size.
Memory MemoryOf(const std::string& model, bool fusion) {
  const auto proto = suites::BuildFromCatalog(model, {});
  CHECK(proto.ok()) << proto.status();
  const auto graph = frontend::ImportOnnxModel(*proto);
  CHECK(graph.ok()) << graph.status();
  CompileOptions options;
  options.fusion = fusion;
  DumpDir dump("");
  const auto target =
      target::Target::Parse("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3");
  const absl::Status optimized = OptimizeGraph(**graph, *target, options, dump);
  CHECK(optimized.ok()) << optimized;
  const graph::Views views = graph::FindViews(**graph, ASSAY_BUFFER_ALIGNMENT);
  absl::flat_hash_map<const graph::Node*, std::string> symbols;
  for (const graph::Node* node : (*graph)->Nodes()) {
    if (node->kind() == graph::OpKind::kKernel) symbols[node] = "kernel";
  }
  const auto plan = BuildPlan(**graph, views, symbols);
  CHECK(plan.ok()) << plan.status();
  return {plan->artifact.arena_bytes,
          Number(plan->artifact, runtime::kMetaLiveBytes),
          Number(plan->artifact, runtime::kMetaActivationBytes)};
}

TEST(BuildPlanTest, ArenaIsWithinATenthOfLiveBytes) {
  for (const char* model : {"resnet18", "mobilenet_v1", "mobilenet_v2"}) {
    const Memory fused = MemoryOf(model, true);
    EXPECT_GE(fused.arena, fused.live) << model;
    EXPECT_LE(fused.arena * 10, fused.live * 11) << model;
    EXPECT_LT(fused.arena * 2, fused.sum) << model;
    const Memory apart = MemoryOf(model, false);
    EXPECT_LE(apart.arena * 10, apart.live * 11) << model;
    // Values inside a fused kernel are never stored.
    EXPECT_LT(fused.sum * 2, apart.sum) << model;
    EXPECT_LE(fused.arena, apart.arena) << model;
  }
}

}  // namespace
}  // namespace assay::driver
