#include "reports/page/testing/history.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "runtime/base/random.h"

namespace assay::reports {
namespace {

using stats::Verdict;

// The artifact of resnet18 before it became slower, and the base of all
// comparisons.
constexpr char kBaseDigest[] = "77aa11bb22";

Row CellOf(const char* suite, const char* model, double ms, Rng& rng) {
  Row row;
  row.suite = suite;
  row.cell.model = model;
  row.cell.device = "host";
  row.cell.threads = 2;
  row.fingerprint = "x86_64-amd-epyc-7b13-2c-1a2b3c4d";
  const double level = ms * (1 + 0.006 * rng.NormalFloat(0, 1));
  for (int i = 0; i < 30; ++i) {
    row.timing.samples_ns.push_back(1e6 * level *
                                    (1 + 0.02 * rng.UniformFloat(0, 1)));
  }
  row.build.flops = 3'600'000'000;
  row.build.kernels = 24;
  row.build.compile_ms = 1900;
  row.build.artifact_bytes = 97'020'000;
  row.build.params_bytes = 96'500'000;
  row.timing.load_ms = 62.5;
  row.build.arena_bytes = 4'010'000;
  row.build.live_bytes = 4'010'000;
  row.correctness.max_abs_error = 1.2e-5;
  row.correctness.max_abs_error_bound = 3.8e-4;
  row.verdict = Verdict::kPass;
  row.comparison.baseline_ms = ms;
  row.comparison.delta = level / ms - 1;
  row.comparison.threshold = 0.05;
  row.build.model_digest = "4f1d0c0b5e";
  row.build.artifact_digest = "93ab77c1d2";
  row.reproduce = absl::StrCat("./bazelw run //suites:", suite,
                               " -- --device=host --fusion=on --threads=2 "
                               "--repeat=30 --number=10");
  return row;
}

void Compare(Row& row, double change, Verdict verdict) {
  PairedComparison paired;
  paired.artifact_digest = kBaseDigest;
  for (const double ns : row.timing.samples_ns) {
    paired.base_ns.push_back(ns / (1 + change));
    paired.run_ns.push_back(ns);
  }
  paired.change = change;
  paired.lower = change - 0.004;
  paired.upper = change + 0.005;
  paired.detectable = 0.006;
  if (verdict == Verdict::kRegressed) {
    paired.attribution = Attribution{40,
                                     {{{"layer2.0.conv1"},
                                       {"k007"},
                                       {"k007_conv2d_relu"},
                                       0.9,
                                       1.5,
                                       0.6,
                                       0.58,
                                       0.63,
                                       false}},
                                     0.7,
                                     0.64,
                                     0.75};
  }
  row.comparison.paired = paired;
  row.verdict = verdict;
}

void NotTimed(Row& row, Verdict verdict, const char* reason) {
  row.timing.samples_ns.clear();
  row.comparison.baseline_ms.reset();
  row.comparison.delta.reset();
  row.verdict = verdict;
  row.reason = reason;
}

RunResult RunOf(int night, int nights, Rng& rng) {
  const bool newest = night + 1 == nights;
  RunResult run;
  run.started_at = absl::FormatTime(
      "%Y-%m-%dT%H:%M:%SZ",
      absl::FromCivil(absl::CivilSecond(2024, 5, 1 + night, 2, 30, 0),
                      absl::UTCTimeZone()),
      absl::UTCTimeZone());
  run.commit = absl::StrCat(night + 100, "456789abcdef0123456789abcdef");
  run.environment.fingerprint = "x86_64-amd-epyc-7b13-2c-1a2b3c4d";
  run.environment.identity = {{"arch", "x86_64"},
                              {"cpu", "AMD EPYC 7B13"},
                              {"features", "avx2 fma sse4.2"},
                              {"memory", "24 GiB"},
                              {"processors", "2"}};
  run.environment.state = {
      {"governor", "performance"},
      {"kernel", night < nights / 2 ? "6.1.0-37" : "6.1.0-38"},
      {"load", absl::StrCat("0.", night % 10)}};

  Row slower =
      CellOf("resnet18", "resnet18", night < 2 * nights / 3 ? 16.8 : 17.5, rng);
  const bool is_old = night < 2 * nights / 3;
  if (is_old) slower.build.artifact_digest = kBaseDigest;
  slower.build.code = {
      {"k000_conv2d_relu", {"conv1"}, "c0de00"},
      {"k007_conv2d_relu", {"layer2.0.conv1"}, is_old ? "c0de07" : "c0de17"}};
  Compare(slower, 0.041, Verdict::kRegressed);
  slower.reason =
      "4.1 % slower [3.7 %, 4.6 %], 40 loads; a change of 0.6 % would be seen";
  run.rows.push_back(slower);
  run.rows.push_back(CellOf("mobilenet", "mobilenet_v1", 5.61, rng));
  Row faster = CellOf("ssd", "ssd_vgg16", 310, rng);
  Compare(faster, -0.02, Verdict::kImproved);
  run.rows.push_back(faster);
  Row same = CellOf("resnet", "resnet50", 42, rng);
  Compare(same, 0.0005, Verdict::kEquivalent);
  run.rows.push_back(same);
  Row unsure = CellOf("gemm", "gemm_512", 0.0521, rng);
  unsure.verdict = Verdict::kInconclusive;
  unsure.reason = "the scatter of the samples would hide a change of 25 %";
  run.rows.push_back(unsure);
  Row moved = CellOf("gemm", "conv_3x3", 1.13, rng);
  moved.verdict = Verdict::kEnvironmentChanged;
  moved.reason = "9.1 % slower, but the kernel is another than the baseline's";
  run.rows.push_back(moved);
  Row emulated = CellOf("resnet18", "resnet18", 4321, rng);
  emulated.cell.device = "rpi3b";
  emulated.emulated = true;
  emulated.verdict = Verdict::kEmulated;
  run.rows.push_back(emulated);
  Row fresh = CellOf("gemm", "gemm_1x1", 0.0011, rng);
  fresh.timing.samples_ns.resize(5);
  fresh.verdict = Verdict::kNoBaseline;
  if (night + 3 >= nights) run.rows.push_back(fresh);
  Row broken = CellOf("gemm", "gemm_huge", 1, rng);
  NotTimed(broken, Verdict::kInfrastructure,
           "the model takes 31 GiB, more than --max_memory");
  run.rows.push_back(broken);
  Row wrong = CellOf("mobilenet", "mobilenet_v2", 4.4, rng);
  if (newest) {
    NotTimed(wrong, Verdict::kWrongOutput,
             "element 7 of output `logits` is nan, should be 1.5");
  }
  run.rows.push_back(wrong);
  if (!newest) {
    run.rows.push_back(CellOf("ssd", "ssd_mobilenet_v1", 21, rng));
  }
  run.rows.push_back(CellOf("model", kHostileName, 3, rng));
  return run;
}

}  // namespace

std::vector<RunResult> SampleHistory(int nights) {
  Rng rng(20240501);
  std::vector<RunResult> history;
  for (int night = 0; night < nights; ++night) {
    history.push_back(RunOf(night, nights, rng));
  }
  return history;
}

}  // namespace assay::reports
