#include "suites/harness/compiler/testing/tuned_matmul.h"

#include "compiler/graph/testing/graph_testing.h"
#include "compiler/tune/task/tasks.h"
#include "compiler/tune/task/template_digest.h"
#include "runtime/base/check.h"

namespace assay::suites {

std::unique_ptr<graph::Graph> TunedMatMul() {
  return graph::GraphFromText(
      R"(graph net(%x: float32[64,64], %w: float32[64,64]) -> (y=%2) {
  %1: float32[64,64] = matmul(%x, %w) "MatMul_0"
  %2: float32[64,64] = relu(%1) "Relu_0"
})");
}

TuningRecord RecordOfTunedMatMul(const target::Target& target,
                                 const std::string& fingerprint) {
  const auto tasks = tune::ExtractTasks(*TunedMatMul(), target, {},
                                        tune::LayoutChoices::kDefault);
  CHECK(tasks.ok()) << tasks.status();
  CHECK_EQ(tasks->size(), 1u);
  const tune::Task& task = tasks->front();
  const auto digest = tune::TemplateDigest(*task.kernel, target);
  CHECK(digest.ok()) << digest.status();
  TuningRecord record;
  record.task = task.key;
  record.workload = task.workload;
  record.anchor = task.anchor;
  record.flops = task.flops;
  record.target = target.ToString();
  record.device = fingerprint;
  record.threads = target.num_cores();
  record.implementation = "matmul.blocked";
  record.config.SetKnob("mc", 1);
  record.template_digest = *digest;
  record.samples_ns = {1000};
  record.verdict = TuningVerdict{stats::Verdict::kImproved, 0.5, 0.4, 0.6};
  return record;
}

}  // namespace assay::suites
