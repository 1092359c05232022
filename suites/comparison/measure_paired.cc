#include "suites/comparison/measure_paired.h"

#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

Arm ArmOf(const char* name, Session* session) {
  return {name, [=](int64_t number) -> absl::StatusOr<int64_t> {
            devices::TimingPolicy timing;
            timing.set_number(static_cast<int>(number));
            timing.set_repeat(1);
            ASSAY_ASSIGN_OR_RETURN(const Measurement sample,
                                   session->Measure(timing));
            if (sample.samples_ms.empty()) {
              return absl::InternalError("the device returned no samples");
            }
            return static_cast<int64_t>(sample.samples_ms[0] * 1e6 *
                                        static_cast<double>(number));
          }};
}

std::vector<double> Milliseconds(std::vector<double> nanos) {
  for (double& x : nanos) x *= 1e-6;
  return nanos;
}

}  // namespace

absl::StatusOr<PairedMeasurement> MeasurePaired(Session* base, Session* run,
                                                const PairedLimits& limits,
                                                Clock* clock) {
  PairedMeasurement result;
  PairedOptions sampling;
  sampling.seed = limits.seed;
  sampling.begin_round = [=](int64_t round) -> absl::Status {
    ASSAY_RETURN_IF_ERROR(base->BeginRound(round));
    return run->BeginRound(round);
  };
  PairedSampler sampler({ArmOf("the base", base), ArmOf("the run", run)},
                        std::move(sampling), clock);
  ASSAY_ASSIGN_OR_RETURN(result.verdict,
                         RunToVerdict(sampler, limits.test, limits.budget));
  result.spent_s = static_cast<double>(sampler.spent_nanos()) * 1e-9;
  result.base_ms = Milliseconds(sampler.samples_ns(0));
  result.run_ms = Milliseconds(sampler.samples_ns(1));
  return result;
}

}  // namespace assay::suites
