// recurrent: rnn, gru and lstm (compiler/docs/graph_ir.md).
#include <algorithm>

#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/recurrent/recurrent_loops.h"
#include "compiler/ops/recurrent/state_product.h"

namespace assay::ops {
namespace {

// Values of the knob `share`: 0 divides sequences, 1 panels.
constexpr char kShare[] = "share";

// The time of a parallel loop in each step, in multiply-adds of one core.
constexpr double kParallelLoop = 1e5;

// The modelled work of a step, in multiply-adds of one core.
double StepWork(const OpInstance& op, const target::Target& target,
                ThreadsShare share) {
  const RecurrentSizes sizes = RecurrentSizesOf(op);
  const double weights = static_cast<double>(sizes.gates * sizes.hidden) *
                         static_cast<double>(sizes.hidden);
  const double work = weights * static_cast<double>(sizes.batch) *
                      static_cast<double>(sizes.directions);
  const int64_t cores = std::max(1, target.num_cores());
  const int64_t threads = share == ThreadsShare::kPanels
                              ? std::min(cores, sizes.directions * sizes.panels)
                              : std::min(cores, SequenceThreads(op, target));
  // Weights that do not fit in the caches of a core are read from the memory
  // of all cores, which takes longer than to multiply a few sequences.
  const double bytes_each =
      static_cast<double>(op.inputs[1].num_bytes() / sizes.directions) /
      static_cast<double>(share == ThreadsShare::kPanels ? threads : 1);
  const bool fits = bytes_each <= static_cast<double>(target.l2_bytes());
  const double each = work / static_cast<double>(threads) * (fits ? 1 : 2);
  const bool waits = share == ThreadsShare::kPanels && threads > 1;
  return each + (waits ? kParallelLoop : 0);
}

ConfigSpace Space(const OpInstance&, const target::Target&) {
  ConfigSpace space;
  space.DefineKnob(kShare, {0, 1});
  return space;
}

Config Default(const OpInstance& op, const target::Target& target) {
  const bool panels = StepWork(op, target, ThreadsShare::kPanels) <
                      StepWork(op, target, ThreadsShare::kSequences);
  Config config;
  config.SetKnob(kShare, panels ? 1 : 0);
  return config;
}

ThreadsShare ShareOf(const Config& config) {
  return static_cast<ThreadsShare>(config.Knob(kShare));
}

double CellSeconds(const OpInstance& op, const target::Target& target,
                   const Config& config) {
  const double flops_of_core =
      PeakFlops(target) / std::max(1, target.num_cores());
  return StepWork(op, target, ShareOf(config)) * 2 / flops_of_core *
         static_cast<double>(RecurrentSizesOf(op).steps);
}

te::Tensor Compute(const OpInstance& op, const Operands& in,
                   const target::Target& target, const Config& config) {
  return RecurrentLoops(op, in, target, ShareOf(config));
}

constexpr Implementation kRecurrent[] = {{"recurrent.loops", AlwaysApplies,
                                          Space, Default, CellSeconds, Compute,
                                          ScheduleAsWritten}};

}  // namespace

KernelRule RecurrentKernel(graph::OpKind) { return {kRecurrent}; }

}  // namespace assay::ops
