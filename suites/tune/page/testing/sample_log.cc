#include "suites/tune/page/testing/sample_log.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

struct Workload {
  const char* anchor;
  const char* kernel;
  int64_t flops;
  std::vector<const char*> implementations;
  double gflops;  // a good rate
};

const std::vector<Workload>& Workloads() {
  static const auto& workloads = *new std::vector<Workload>{
      {"conv2d(float32[1,64,56,56]@blocks(16), "
       "float32[64,64,3,3]@filters(in=16,out=16)) -> "
       "float32[1,64,56,56]@blocks(16) {strides=[1,1], padding=[1,1,1,1], "
       "dilations=[1,1], groups=1}",
       "p0: float32[1,64,56,56]@blocks(16) p1: "
       "float32[64,64,3,3]@filters(in=16,out=16) v0: "
       "float32[1,64,56,56]@blocks(16) = conv2d(p0, p1) {strides=[1,1], "
       "padding=[1,1,1,1], dilations=[1,1], groups=1} v1: "
       "float32[1,64,56,56]@blocks(16) = relu(v0) return v1",
       231'000'000,
       {"conv2d.direct_nchwc", "conv2d.im2col_nchwc"},
       160},
      {"conv2d(float32[1,64,56,56]@blocks(16), "
       "float32[64,64,3,3]@winograd(m=4,block=16)) -> "
       "float32[1,64,56,56]@blocks(16) {strides=[1,1], padding=[1,1,1,1], "
       "dilations=[1,1], groups=1}",
       "",
       231'000'000,
       {"conv2d.winograd_nchwc"},
       290},
      {"conv2d(float32[1,3,224,224], float32[64,3,7,7]) -> "
       "float32[1,64,112,112] {strides=[2,2], padding=[3,3,3,3], "
       "dilations=[1,1], groups=1}",
       "",
       236'000'000,
       {"conv2d.direct_nchw"},
       70},
      {"conv2d(float32[1,256,14,14]@blocks(16), "
       "float32[512,256,1,1]@filters(in=16,out=16)) -> "
       "float32[1,512,7,7]@blocks(16) {strides=[2,2], padding=[0,0,0,0], "
       "dilations=[1,1], groups=1}",
       "",
       12'900'000,
       {"conv2d.im2col_nchwc", "conv2d.direct_nchwc"},
       110},
      {"conv2d(float32[1,32,112,112]@blocks(16), "
       "float32[32,1,3,3]@filters(in=1,out=16)) -> "
       "float32[1,32,112,112]@blocks(16) {strides=[1,1], padding=[1,1,1,1], "
       "dilations=[1,1], groups=32}",
       "",
       7'230'000,
       {"conv2d.depthwise_nchwc"},
       40},
      {"",
       "p0: float32[1,512] v0: float32[1,512]@blocks(16) = encode(p0) "
       "return v0",
       0,
       {"elementwise"},
       1},
  };
  return workloads;
}

std::string KeyOf(int task) {
  return absl::StrFormat("%08x%08x", 0x9e3779b9u * (task + 1u),
                         0x85ebca6bu * (task + 1u));
}

// When trial `number` of the run ended.
std::string TimeOf(int64_t number) {
  const absl::Time start = absl::FromUnixSeconds(1'795'000'000);
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ",
                          start + absl::Milliseconds(180 * number),
                          absl::UTCTimeZone());
}

TuningRecord Base() {
  TuningRecord record;
  record.target = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=2";
  record.device = "x86_64-amd-epyc-2c-1a2b3c4d";
  record.threads = 2;
  record.template_digest = "9c";
  record.tuner = "xgb";
  record.seed = 7;
  return record;
}

void Fail(Rng& rng, TuningRecord* record) {
  const bool build = rng.UniformInt(0, 2) > 0;
  record->status = build ? TrialStatus::kBuildError : TrialStatus::kWrong;
  record->error = build ? "the tile of sums does not fit into the registers"
                        : "output 0: element 17 is 0.5, expected 0.25";
}

// Adds the trials of a task, whose rates approach a good one.
void AddTask(int task, int trials, Rng& rng, std::vector<TuningRecord>* log) {
  const auto& workloads = Workloads();
  const Workload& workload =
      workloads[static_cast<size_t>(task) % workloads.size()];
  TuningRecord best;
  double best_nanos = 0, default_nanos = 0;
  for (int i = 0; i < trials; ++i) {
    TuningRecord record = Base();
    record.task = KeyOf(task);
    record.anchor = workload.anchor;
    record.workload = workload.kernel;
    record.flops = workload.flops;
    const auto which = rng.UniformInt(
        0,
        i == 0 ? 0 : static_cast<int64_t>(workload.implementations.size()) - 1);
    record.implementation =
        workload.implementations[static_cast<size_t>(which)];
    record.config.SetSplit("tile_ow", {-1, rng.UniformInt(1, 28)})
        .SetSplit("tile_ic", {-1, rng.UniformInt(1, 64)})
        .SetKnob("unroll_kw", rng.UniformInt(0, 1));
    record.time = TimeOf(static_cast<int64_t>(log->size()));
    if (i > 0 && rng.UniformFloat(0, 1) < 0.04f) {
      Fail(rng, &record);
    } else {
      // The search learns: the mean rises, and the spread stays.
      const double learned = 1 - std::exp(-3.0 * i / trials);
      const double quality = i == 0 ? 0.7
                                    : 0.15 + 0.55 * learned +
                                          rng.UniformFloat(0, 0.3f) -
                                          0.08 * static_cast<double>(which);
      const double gflops = workload.gflops * std::max(quality, 0.02);
      const double nanos = workload.flops > 0
                               ? static_cast<double>(workload.flops) / gflops
                               : 900 / gflops;
      // The speed of the machine changes.
      const double load = 1.1 + 0.1 * std::sin(i / 20.0);
      record.samples_ns = {load * nanos, 1.03 * load * nanos};
      if (i == 0) {
        default_nanos = nanos;
      } else {
        record.default_ns = {load * default_nanos, 1.02 * load * default_nanos};
      }
      if (best.samples_ns.empty() || nanos < best_nanos) {
        best = record;
        best_nanos = nanos;
      }
    }
    log->push_back(record);
  }
  if (task % 2 == 1 || best.samples_ns.empty()) return;
  TuningRecord& comparison = best;
  comparison.verdict =
      task % 4 == 0
          ? TuningVerdict{stats::Verdict::kImproved, 0.787, 0.771, 0.803}
          : TuningVerdict{stats::Verdict::kEquivalent, 0.998, 0.991, 1.004};
  comparison.time = TimeOf(static_cast<int64_t>(log->size()));
  log->push_back(comparison);
}

}  // namespace

std::vector<TuningRecord> SampleLog(int tasks, int trials) {
  Rng rng(11);
  std::vector<TuningRecord> log;
  for (int task = 0; task < tasks; ++task) AddTask(task, trials, rng, &log);
  return log;
}

std::map<std::string, int64_t> SampleCalls(int tasks) {
  std::map<std::string, int64_t> calls;
  for (int task = 0; task < tasks; ++task) calls[KeyOf(task)] = 1 + task % 4;
  return calls;
}

TuningRecord SampleTrial(double nanos, int knob) {
  TuningRecord record = Base();
  record.task = "0123456789abcdef";
  record.anchor = "matmul(float32[5,10], float32[10,10]) -> float32[5,10]";
  record.workload =
      "p0: float32[5,10] p1: float32[10,10] v0: float32[5,10] = "
      "matmul(p0, p1) return v0";
  record.flops = 1000;
  record.implementation = "matmul.blocked";
  record.config.SetKnob("mc", knob);
  record.samples_ns = {nanos};
  record.time = TimeOf(0);
  return record;
}

TuningRecord SampleFailure(TrialStatus status, const std::string& error) {
  TuningRecord record = SampleTrial(1);
  record.samples_ns.clear();
  record.status = status;
  record.error = error;
  return record;
}

TuningRecord SampleVerdict(stats::Verdict verdict, double ratio, int knob) {
  TuningRecord record = SampleTrial(100, knob);
  record.verdict = TuningVerdict{verdict, ratio, 0.95 * ratio, 1.05 * ratio};
  return record;
}

}  // namespace assay::suites
