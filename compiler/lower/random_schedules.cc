#include "compiler/lower/random_schedules.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
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

Expr Clamp(const Expr& x) { return expr::Max(expr::Min(x, 4), -4); }

// A random DAG of rank-2 tensors. Values are whole numbers that stay small
// because every read is clamped, so sums are exact in any order.
class RandomProgram {
 public:
  explicit RandomProgram(Rng& rng) : rng_(rng) {
    for (int i = 0; i < 2; ++i) {
      inputs.push_back(te::Placeholder(
          {Pick(1, 9), Pick(1, 9)}, DType::Float32(), absl::StrCat("in", i)));
      tensors_.push_back(inputs.back());
    }
    const int64_t stages = Pick(2, 5);
    for (int64_t i = 0; i < stages; ++i) {
      tensors_.push_back(NewStage(absl::StrCat("t", i)));
    }
    outputs.push_back(tensors_.back());
    const Tensor& other = tensors_[tensors_.size() - 2];
    if (Pick(0, 3) == 0 && !other.is_placeholder()) outputs.push_back(other);
  }

  std::vector<Tensor> inputs, outputs;

 private:
  int64_t Pick(int64_t lo, int64_t hi) { return rng_.UniformInt(lo, hi); }
  int PickInt(int64_t lo, int64_t hi) { return static_cast<int>(Pick(lo, hi)); }
  const Tensor& PickTensor() {
    // Late tensors more often, so that chains get deep.
    const int64_t last = static_cast<int64_t>(tensors_.size()) - 1;
    return tensors_[std::max(Pick(0, last), Pick(0, last))];
  }

  Tensor NewStage(const std::string& name) {
    const Tensor x = PickTensor();
    switch (Pick(0, 6)) {
      case 0:
        return Elementwise(name, x);
      case 1:
        return Pad(name, x);
      case 2:
        return Transpose(name, x);
      case 3:
        return Matmul(name, x, PickTensor());
      case 4:
        return Window(name, x);
      case 5:
        return Stencil(name, x);
      default:
        return Reshape(name, x);
    }
  }

  // x combined with the same-shaped other tensors there are.
  Tensor Elementwise(const std::string& name, const Tensor& x) {
    const Tensor y = PickTensor();
    return te::Compute(x.shape(), name, [&](const Indices& i) {
      if (y.shape() != x.shape()) return Clamp(x(i)) + 1;
      return Clamp(x(i)) - Clamp(y(i));
    });
  }

  Tensor Pad(const std::string& name, const Tensor& x) {
    const int before = PickInt(0, 2), after = PickInt(0, 2);
    const int n = static_cast<int>(x.shape()[0]);
    const int m = static_cast<int>(x.shape()[1]);
    return te::Compute({n + before, m + after}, name, [&](const Indices& i) {
      return expr::SelectOf(i[0] >= before && i[1] < m,
                            Clamp(x(i[0] - before, i[1])),
                            expr::Const(DType::Float32(), 3));
    });
  }

  Tensor Transpose(const std::string& name, const Tensor& x) {
    return te::Compute({x.shape()[1], x.shape()[0]}, name,
                       [&](const Indices& i) { return Clamp(x(i[1], i[0])); });
  }

  Tensor Matmul(const std::string& name, const Tensor& a, const Tensor& b) {
    const int64_t k = std::min(a.shape()[1], b.shape()[0]);
    const te::ReduceAxis r = te::MakeReduceAxis(k, "r");
    return te::Compute(
        {a.shape()[0], b.shape()[1]}, name, [&](const Indices& i) {
          return te::Sum(Clamp(a(i[0], r.var)) * Clamp(b(r.var, i[1])), {r});
        });
  }

  // A strided window of the first dimension, reduced.
  Tensor Window(const std::string& name, const Tensor& x) {
    const int64_t window = Pick(1, std::min<int64_t>(3, x.shape()[0]));
    const int stride = PickInt(1, 2);
    const bool max = Pick(0, 1) == 0;
    const te::ReduceAxis r = te::MakeReduceAxis(window, "r");
    const te::ReduceAxis q = te::MakeReduceAxis(x.shape()[1], "q");
    return te::Compute(
        {(x.shape()[0] - window) / stride + 1, 3}, name, [&](const Indices& i) {
          const Expr value = Clamp(x(i[0] * stride + r.var, q.var));
          return max ? te::MaxOver(value, {r, q}) : te::Sum(value, {q, r});
        });
  }

  Tensor Stencil(const std::string& name, const Tensor& x) {
    const int64_t taps = std::min<int64_t>(3, x.shape()[1]);
    return te::Compute({x.shape()[0], x.shape()[1] - taps + 1}, name,
                       [&](const Indices& i) {
                         Expr sum = Clamp(x(i));
                         for (int k = 1; k < taps; ++k)
                           sum = sum + Clamp(x(i[0], i[1] + k));
                         return sum;
                       });
  }

  // Rows and columns through division and remainder.
  Tensor Reshape(const std::string& name, const Tensor& x) {
    const int m = static_cast<int>(x.shape()[1]);
    const int64_t n = x.shape()[0];
    if (Pick(0, 1) == 0) {
      return te::Compute({n * m, 1}, name, [&](const Indices& i) {
        return Clamp(x(i[0] / m, i[0] % m));
      });
    }
    return te::Compute({m, n}, name, [&](const Indices& i) {
      const Expr flat = i[0] * static_cast<int>(n) + i[1];
      return Clamp(x(flat / m, flat % m));
    });
  }

  Rng& rng_;
  std::vector<Tensor> tensors_;
};

// A dot product as RandomProgram::Matmul has it, of `n` elements, and `lanes`
// of those at a time.
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

  // A stage that is computed at an axis, if there is one.
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

  // Often illegal; the caller tries it.
  Step NewStep(const Schedule& schedule) {
    const StageState& stage = PickStage(schedule);
    const std::string& name = stage.name;
    const std::string axis = PickLeaf(stage);
    switch (rng_.UniformInt(0, 23)) {
      case 0:
      case 1: {
        const auto tail = rng_.UniformInt(0, 1) == 0 ? schedule::Tail::kGuard
                                                     : schedule::Tail::kShift;
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
        const auto tail = rng_.UniformInt(0, 1) == 0 ? schedule::Tail::kGuard
                                                     : schedule::Tail::kShift;
        return schedule::SplitParts{name, axis, rng_.UniformInt(1, 5),
                                    tail, "",   ""};
      }
      case 13:
        return schedule::ComputeRoot{name};
      case 14:
        return CopyOfARead(stage);
      case 15: {
        const int64_t factor = rng_.UniformInt(1, 6);
        return schedule::StorageAlign{name, PickDimension(stage), factor,
                                      rng_.UniformInt(0, factor - 1)};
      }
      case 16:
        return NewLayout(stage);
      case 17:
        return schedule::DoubleBuffer{PickAttached(schedule)};
      case 18:
        return schedule::RollingBuffer{PickAttached(schedule)};
      case 19:
        return schedule::Bind{name, axis, schedule::kVirtualThread};
      case 20: {
        const std::vector<Tensor> reads = te::TensorsRead(stage.body);
        return schedule::Prefetch{name, PickFrom(reads).name(), axis,
                                  rng_.UniformInt(0, 3)};
      }
      case 21:
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

  // The dimensions in another order, one of them in two.
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

  // Of something that `stage` reads, in the hands of `stage`.
  Step CopyOfARead(const StageState& stage) {
    const std::vector<Tensor> reads = te::TensorsRead(stage.body);
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
  const RandomProgram program(rng);
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
