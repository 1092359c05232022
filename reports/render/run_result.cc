#include "reports/render/run_result.h"

#include <tuple>

namespace assay::reports {
namespace {

auto Fields(const OperatorTime& o) {
  return std::tie(o.kernel, o.kind, o.sources, o.ms, o.flops, o.bytes);
}

auto Fields(const Environment& e) {
  return std::tie(e.fingerprint, e.identity, e.state);
}

auto Fields(const KernelChange& k) {
  return std::tie(k.sources, k.base_kernels, k.run_kernels, k.base_ms, k.run_ms,
                  k.change_ms, k.lower_ms, k.upper_ms, k.same_code);
}

auto Fields(const Attribution& a) {
  return std::tie(a.rounds, a.kernels, a.whole_ms, a.whole_lower_ms,
                  a.whole_upper_ms);
}

auto Fields(const PairedComparison& p) {
  return std::tie(p.artifact_digest, p.base_ms, p.run_ms, p.change, p.lower,
                  p.upper, p.detectable, p.attribution);
}

auto Fields(const Row& r) {
  return std::tie(r.suite, r.model, r.device, r.fusion, r.tuning, r.threads,
                  r.emulated, r.fingerprint, r.samples_ms, r.flops, r.kernels,
                  r.compile_ms, r.arena_bytes, r.live_bytes, r.operators,
                  r.operators_whole_ms, r.max_abs_error, r.max_abs_error_bound,
                  r.baseline_ms, r.delta, r.threshold, r.paired,
                  r.speedup_vs_unfused, r.speedup_vs_reference, r.verdict,
                  r.reason, r.model_digest, r.artifact_digest, r.reproduce);
}

auto Fields(const Canary& c) {
  return std::tie(c.unchanged.share, c.unchanged.verdict, c.unchanged.reason,
                  c.slowed.share, c.slowed.verdict, c.slowed.reason);
}

auto Fields(const RunResult& r) {
  return std::tie(r.schema_version, r.started_at, r.commit, r.environment,
                  r.canary, r.rows);
}

}  // namespace

bool operator==(const OperatorTime& a, const OperatorTime& b) {
  return Fields(a) == Fields(b);
}

bool operator==(const Environment& a, const Environment& b) {
  return Fields(a) == Fields(b);
}

bool operator==(const KernelChange& a, const KernelChange& b) {
  return Fields(a) == Fields(b);
}

bool operator==(const Attribution& a, const Attribution& b) {
  return Fields(a) == Fields(b);
}

bool operator==(const PairedComparison& a, const PairedComparison& b) {
  return Fields(a) == Fields(b);
}

bool operator==(const Canary& a, const Canary& b) {
  return Fields(a) == Fields(b);
}

bool IsSound(const Canary& canary) {
  return canary.unchanged.verdict != stats::Verdict::kRegressed &&
         canary.unchanged.verdict != stats::Verdict::kImproved &&
         canary.slowed.verdict == stats::Verdict::kRegressed;
}

bool operator==(const Row& a, const Row& b) { return Fields(a) == Fields(b); }

bool operator==(const RunResult& a, const RunResult& b) {
  return Fields(a) == Fields(b);
}

std::optional<stats::Summary> Timing(const Row& row) {
  if (row.samples_ms.empty()) return std::nullopt;
  return stats::Summarize(row.samples_ms);
}

double SumOfChanges(const Attribution& attribution) {
  double sum = 0;
  for (const KernelChange& kernel : attribution.kernels) {
    sum += kernel.change_ms;
  }
  return sum;
}

std::optional<double> GflopPerSecond(const Row& row) {
  if (row.samples_ms.empty() || row.flops <= 0 || row.emulated) {
    return std::nullopt;
  }
  return static_cast<double>(row.flops) / (Timing(row)->mean * 1e6);
}

}  // namespace assay::reports
