#include "compiler/lower/fuzz/random_schedules.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/lower/fuzz/random_programs.h"
#include "compiler/te/tensor_intrin.h"
#include "runtime/base/random.h"

namespace assay::lower {

using expr::Expr;
using schedule::Schedule;
using schedule::Stage;
using schedule::StageState;
using schedule::Step;
using te::Tensor;
using Indices = std::vector<Expr>;

namespace {

// A dot product of `n` elements as it occurs in random programs, for `lanes`
// outputs at a time.
std::shared_ptr<const te::TensorIntrin> DotProduct(int64_t n, int lanes) {
  const Tensor a = te::Placeholder({n}, DType::Float32(), "a");
  const Tensor b = te::Placeholder({n, lanes}, DType::Float32(), "b");
  const te::ReduceAxis k = te::MakeReduceAxis(n, "k");
  auto intrin = std::make_shared<te::TensorIntrin>();
  intrin->name = absl::StrCat("dot_", n, "_", lanes);
  intrin->compute = te::Compute({lanes}, "c", [&](const Indices& i) {
    return te::Sum(Clamp(a(k.var)) * Clamp(b(k.var, i[0])), {k});
  });
  intrin->update = [n, lanes](const te::IntrinOperand& c,
                              const std::vector<te::IntrinOperand>& in) {
    std::vector<te::IntrinStore> stores;
    for (int64_t j = 0; j < lanes; ++j) {
      Expr sum = c.LoadAt({j});
      for (int64_t i = 0; i < n; ++i) {
        sum = sum + Clamp(in[0].LoadAt({i})) * Clamp(in[1].LoadAt({i, j}));
      }
      stores.push_back({c.At({j}), sum});
    }
    return stores;
  };
  return intrin;
}

using IntrinList = std::vector<std::shared_ptr<const te::TensorIntrin>>;

const IntrinList& Intrins() {
  static const auto* intrins = [] {
    auto* list = new IntrinList;
    for (int64_t n = 1; n <= 4; ++n) {
      for (int lanes = 1; lanes <= 4; ++lanes) {
        list->push_back(DotProduct(n, lanes));
      }
    }
    return list;
  }();
  return *intrins;
}

Schedule NewScheduleOf(const std::vector<Tensor>& outputs) {
  Schedule schedule(outputs);
  for (const auto& intrin : Intrins()) schedule.AddIntrin(intrin);
  return schedule;
}

class RandomSchedule {
 public:
  RandomSchedule(Rng& rng, const std::vector<Tensor>& outputs) : rng_(rng) {
    Schedule schedule = NewScheduleOf(outputs);
    const int64_t attempts = rng_.UniformInt(4, 30);
    for (int64_t i = 0; i < attempts; ++i) {
      steps_.push_back(NewStep(schedule));
      Schedule extended = NewScheduleOf(outputs);
      if (extended.Replay(steps_).ok() && extended.Validate().ok()) {
        schedule = std::move(extended);
        steps_ = schedule.steps();
      } else {
        steps_.pop_back();
      }
    }
  }

  const std::vector<Step>& steps() const { return steps_; }

 private:
  template <typename T>
  const T& PickFrom(const std::vector<T>& items) {
    return items[rng_.UniformInt(0, static_cast<int64_t>(items.size()) - 1)];
  }

  const StageState& PickStage(const Schedule& schedule) {
    return PickFrom(schedule.stages())->state();
  }

  // A random stage that is computed at an axis, if there is one.
  std::string PickAttached(const Schedule& schedule) {
    std::vector<std::string> names;
    for (const Stage* stage : schedule.stages()) {
      if (stage->state().placement == schedule::Placement::kAt) {
        names.push_back(stage->name());
      }
    }
    return names.empty() ? "none" : PickFrom(names);
  }

  std::string PickLeaf(const StageState& stage) {
    if (stage.leaves.empty()) return "none";
    return PickFrom(stage.leaves).axis.name;
  }

  // A random step; often illegal, so the caller tries to apply it.
  Step NewStep(const Schedule& schedule) {
    const StageState& stage = PickStage(schedule);
    const std::string& name = stage.name;
    const std::string axis = PickLeaf(stage);
    switch (rng_.UniformInt(0, 21)) {
      case 0:
      case 1: {
        const auto tail = rng_.UniformInt(0, 1) == 0
                              ? schedule::Tail::kGuardWithIf
                              : schedule::Tail::kShiftInwards;
        return schedule::Split{name, axis, rng_.UniformInt(1, 5), tail, "", ""};
      }
      case 2:
        return schedule::Fuse{name, axis, PickLeaf(stage), ""};
      case 3:
        return schedule::Reorder{name, {axis, PickLeaf(stage)}};
      case 4:
        return schedule::Vectorize{name, axis};
      case 5:
        return schedule::Unroll{name, axis};
      case 6:
        return schedule::Parallel{name, axis};
      case 7:
        return schedule::ComputeInline{name};
      case 8:
        return schedule::CacheWrite{name, expr::Scope::kGlobal, ""};
      case 9:
        return schedule::SetScope{name, expr::Scope::kLocal};
      case 10:
        return schedule::Pragma{name, axis, "hint", 1};
      case 11:
        return schedule::RFactor{name, axis, rng_.UniformInt(0, 2), ""};
      case 12: {
        const auto tail = rng_.UniformInt(0, 1) == 0
                              ? schedule::Tail::kGuardWithIf
                              : schedule::Tail::kShiftInwards;
        return schedule::SplitParts{name, axis, rng_.UniformInt(1, 5),
                                    tail, "",   ""};
      }
      case 13:
        return CopyOfARead(stage);
      case 14: {
        const int64_t factor = rng_.UniformInt(1, 6);
        return schedule::StorageAlign{name, PickDimension(stage), factor,
                                      rng_.UniformInt(0, factor - 1)};
      }
      case 15:
        return NewLayout(stage);
      case 16:
        return schedule::DoubleBuffer{PickAttached(schedule)};
      case 17:
        return schedule::Bind{name, axis, schedule::kVirtualThread};
      case 18: {
        const std::vector<Tensor> reads = te::TensorsRead(stage.bodies);
        return schedule::Prefetch{name, PickFrom(reads).name(), axis,
                                  rng_.UniformInt(0, 3)};
      }
      case 19:
        return schedule::Tensorize{name, axis, PickFrom(Intrins())->name};
      default: {
        const StageState& host = PickStage(schedule);
        return schedule::ComputeAt{name, host.name, PickLeaf(host)};
      }
    }
  }

  std::string PickDimension(const StageState& stage) {
    return PickFrom(stage.data_axes).name;
  }

  // The dimensions in random order, one of them split.
  Step NewLayout(const StageState& stage) {
    schedule::TransformLayout step{stage.name, {}};
    for (const schedule::Axis& axis : stage.data_axes) {
      if (rng_.UniformInt(0, 1) == 0) {
        step.parts.push_back({axis.name});
        continue;
      }
      const int64_t factor = rng_.UniformInt(1, 4);
      step.parts.push_back({axis.name, factor, false});
      step.parts.push_back({axis.name, factor, true});
    }
    for (int64_t i = step.parts.size() - 1; i > 0; --i) {
      std::swap(step.parts[i], step.parts[rng_.UniformInt(0, i)]);
    }
    return step;
  }

  // A cached copy of a tensor that `stage` reads, used by `stage`.
  Step CopyOfARead(const StageState& stage) {
    const std::vector<Tensor> reads = te::TensorsRead(stage.bodies);
    const auto scope =
        rng_.UniformInt(0, 1) == 0 ? expr::Scope::kGlobal : expr::Scope::kLocal;
    return schedule::CacheRead{PickFrom(reads).name(), scope, {stage.name}, ""};
  }

  Rng& rng_;
  std::vector<Step> steps_;
};

std::vector<NDArray> RandomInputs(Rng& rng, const std::vector<Tensor>& inputs) {
  std::vector<NDArray> arrays;
  for (const Tensor& input : inputs) {
    arrays.emplace_back(input.dtype(), input.shape());
    for (float& x : arrays.back().data<float>()) {
      x = static_cast<float>(rng.UniformInt(-5, 5));
    }
  }
  return arrays;
}

}  // namespace

RandomCase MakeRandomCase(uint64_t seed, int round) {
  Rng rng(SeedFor(seed, absl::StrCat(round)));
  const RandomProgram program = MakeRandomProgram(rng);
  const RandomSchedule random(rng, program.outputs);
  RandomCase result;
  result.inputs = program.inputs;
  result.outputs = program.outputs;
  result.steps = random.steps();
  result.values = RandomInputs(rng, program.inputs);
  return result;
}

Schedule RandomCase::NewSchedule() const { return NewScheduleOf(outputs); }

}  // namespace assay::lower
