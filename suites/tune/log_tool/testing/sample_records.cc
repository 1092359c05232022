#include "suites/tune/log_tool/testing/sample_records.h"

#include <memory>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/ops/instance_text.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/kernel/workload.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"
#include "compiler/tune/task/current_task.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

constexpr char kProduct[] =
    "p0: float32[64,64] p1: float32[64,64] v0: float32[64,64] = matmul(p0, p1) "
    "v1: float32[64,64] = relu(v0) return v1";
constexpr char kElementwise[] =
    "p0: float32[64,64] v0: float32[64,64] = exp(p0) return v0";
constexpr char kTarget[] =
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=2";

TuningRecord MakeRecord(const std::string& workload) {
  const auto target = target::Target::Parse(kTarget);
  CHECK(target.ok()) << target.status();
  const auto kernel = tune::KernelOfWorkload(workload);
  CHECK(kernel.ok()) << kernel.status();
  const auto current = tune::CurrentTaskOf(**kernel, *target);
  CHECK(current.ok()) << current.status();
  const auto body = ops::ParseWorkload(workload);
  CHECK(body.ok()) << body.status();
  TuningRecord record;
  record.task = ops::WorkloadKey(**body);
  record.workload = workload;
  if (const graph::Node* anchor = ops::AnchorOf(**body); anchor != nullptr) {
    record.anchor = ops::InstanceText(ops::InstanceOf(*anchor));
  }
  record.flops = 524'288;
  record.target = target->ToString();
  record.device = kSampleDevice;
  record.threads = 2;
  record.implementation = current->default_point.implementation;
  record.config = current->default_point.config;
  record.template_digest = current->template_digest;
  record.tuner = "random";
  record.seed = 7;
  record.time = "2026-11-24T12:00:00Z";
  return record;
}

}  // namespace

TuningRecord DefaultTrial(const std::vector<double>& samples_ns) {
  static const TuningRecord* const record =
      new TuningRecord(MakeRecord(kProduct));
  TuningRecord copy = *record;
  copy.samples_ns = samples_ns;
  return copy;
}

TuningRecord Trial(int64_t mr, const std::vector<double>& samples_ns) {
  TuningRecord record = DefaultTrial(samples_ns);
  record.config.SetKnob("mr", mr);
  return record;
}

TuningRecord Comparison(int64_t mr, stats::Verdict verdict, double low,
                        double high) {
  TuningRecord record = Trial(mr, {4000, 4200, 4400});
  record.verdict = TuningVerdict{verdict, (low + high) / 2, low, high};
  return record;
}

TuningRecord ElementwiseTrial(const std::vector<double>& samples_ns) {
  static const TuningRecord* const record =
      new TuningRecord(MakeRecord(kElementwise));
  TuningRecord copy = *record;
  copy.samples_ns = samples_ns;
  return copy;
}

}  // namespace assay::suites
