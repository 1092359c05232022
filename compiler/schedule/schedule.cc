#include "compiler/schedule/schedule.h"

#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "compiler/schedule/schedule_state.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

// Names the axes, creates their loop variables and adds them as leaves.
void AddAxes(const std::vector<expr::Expr>& vars,
             const std::vector<int64_t>& extents, AxisKind kind,
             std::vector<std::string>& taken, std::vector<Axis>& axes,
             std::vector<Leaf>& leaves) {
  for (size_t i = 0; i < vars.size(); ++i) {
    Axis axis;
    axis.name = UniqueName(vars[i].As<expr::Var>()->name, taken);
    axis.extent = extents[i];
    axis.kind = kind;
    axis.var = expr::Var::Make(axis.name);
    taken.push_back(axis.name);
    axes.push_back(axis);
    Leaf leaf;
    leaf.axis = axis;
    leaves.push_back(std::move(leaf));
  }
}

std::vector<expr::Expr> BodiesOf(const std::vector<te::Tensor>& tensors) {
  std::vector<expr::Expr> bodies;
  for (const te::Tensor& tensor : tensors) {
    if (!tensor.is_extern()) bodies.push_back(tensor->body);
  }
  return bodies;
}

}  // namespace

bool IsValidName(absl::string_view name) {
  for (char c : name) {
    if (!absl::ascii_isalnum(c) && c != '_' && c != '.') return false;
  }
  return !name.empty();
}

std::string UniqueName(absl::string_view hint,
                       const std::vector<std::string>& taken) {
  std::string base(hint.data(), hint.size());
  for (char& c : base) {
    if (!absl::ascii_isalnum(c) && c != '_' && c != '.') c = '_';
  }
  if (base.empty()) base = "_";
  auto is_taken = [&](const std::string& name) {
    for (const std::string& other : taken) {
      if (other == name) return true;
    }
    return false;
  };
  std::string name = base;
  for (int suffix = 1; is_taken(name); ++suffix) {
    name = absl::StrCat(base, "_", suffix);
  }
  return name;
}

StageState MakeStageState(std::string name, std::vector<te::Tensor> tensors,
                          std::vector<expr::Expr> bodies) {
  StageState state;
  state.name = std::move(name);
  state.tensors = std::move(tensors);
  state.bodies = std::move(bodies);
  std::vector<std::string> taken;
  if (state.is_extern()) return state;
  AddAxes(state.tensor()->axes, state.tensor().shape(), AxisKind::kData, taken,
          state.data_axes, state.leaves);
  if (const auto* reduce = state.reduce()) {
    std::vector<expr::Expr> vars;
    std::vector<int64_t> extents;
    for (const expr::ReduceAxis& axis : reduce->axes) {
      vars.push_back(axis.var);
      extents.push_back(axis.extent);
    }
    AddAxes(vars, extents, AxisKind::kReduce, taken, state.reduce_axes,
            state.leaves);
  }
  return state;
}

Stage* ScheduleState::Find(absl::string_view stage_name) const {
  for (const auto& stage : stages) {
    if (stage->name() == stage_name) return stage.get();
  }
  return nullptr;
}

Stage* ScheduleState::Find(const te::Tensor& tensor) const {
  for (const auto& stage : stages) {
    for (const te::Tensor& output : stage->state().tensors) {
      if (output.same_as(tensor)) return stage.get();
    }
  }
  return nullptr;
}

const te::Tensor* ScheduleState::FindTensor(absl::string_view name) const {
  for (const auto& stage : stages) {
    const StageState& state = stage->state();
    for (size_t i = 0; i < state.tensors.size(); ++i) {
      if (state.TensorName(static_cast<int>(i)) == name) {
        return &state.tensors[i];
      }
    }
  }
  for (const NamedTensor& placeholder : placeholders) {
    if (placeholder.name == name) return &placeholder.tensor;
  }
  return nullptr;
}

std::string ScheduleState::NameOf(const te::Tensor& tensor) const {
  for (const NamedTensor& placeholder : placeholders) {
    if (placeholder.tensor.same_as(tensor)) return placeholder.name;
  }
  const Stage* stage = Find(tensor);
  CHECK(stage != nullptr) << "`" << tensor.name()
                          << "` is not a tensor of this schedule";
  return stage->state().TensorName(tensor->output);
}

std::vector<std::string> ScheduleState::Names() const {
  std::vector<std::string> names;
  for (const auto& stage : stages) {
    const StageState& state = stage->state();
    names.push_back(state.name);
    for (size_t i = 0; i < state.tensors.size(); ++i) {
      names.push_back(state.TensorName(static_cast<int>(i)));
    }
  }
  for (const NamedTensor& tensor : placeholders) names.push_back(tensor.name);
  return names;
}

Schedule::Schedule(std::vector<te::Tensor> outputs)
    : state_(std::make_unique<ScheduleState>()) {
  for (const te::Tensor& tensor : te::TopologicalOrder(outputs)) {
    if (tensor.is_placeholder() || tensor->output > 0) continue;
    const std::string name =
        UniqueName(te::OperationName(tensor), state_->Names());
    const std::vector<te::Tensor> tensors = te::OutputsOf(tensor);
    state_->stages.push_back(std::make_unique<Stage>(
        state_.get(), MakeStageState(name, tensors, BodiesOf(tensors))));
  }
  for (const te::Tensor& tensor : te::TopologicalOrder(outputs)) {
    if (!tensor.is_placeholder()) continue;
    state_->placeholders.push_back(
        {UniqueName(tensor.name(), state_->Names()), tensor});
  }
  std::set<const te::TensorOp*> known;
  for (const te::Tensor& output : outputs) {
    CHECK(!output.is_placeholder())
        << "output `" << output.name() << "` is a placeholder";
    CHECK(known.insert(output.get()).second)
        << "output `" << output.name() << "` is listed twice";
    state_->Find(output)->mutable_state().is_output = true;
  }
  state_->outputs = std::move(outputs);
}

Schedule::Schedule(Schedule&&) noexcept = default;
Schedule& Schedule::operator=(Schedule&&) noexcept = default;
Schedule::~Schedule() = default;

Stage& Schedule::operator[](const te::Tensor& tensor) {
  Stage* stage = state_->Find(tensor);
  CHECK(stage != nullptr) << "`" << tensor.name()
                          << "` is not a stage of this schedule";
  return *stage;
}

const Stage& Schedule::operator[](const te::Tensor& tensor) const {
  return const_cast<Schedule&>(*this)[tensor];
}

Stage* Schedule::Find(absl::string_view stage_name) const {
  return state_->Find(stage_name);
}

std::vector<const Stage*> Schedule::stages() const {
  std::vector<const Stage*> stages;
  for (const auto& stage : state_->stages) stages.push_back(stage.get());
  return stages;
}

te::Tensor Schedule::CacheWrite(const te::Tensor& tensor, expr::Scope scope) {
  const std::string name = (*this)[tensor].name();
  if (!state_->status.ok()) return tensor;
  state_->status = Apply(schedule::CacheWrite{name, scope, ""});
  if (!state_->status.ok()) return tensor;
  const auto& step = std::get<schedule::CacheWrite>(state_->steps.back());
  return state_->Find(step.cache)->state().tensors[tensor->output];
}

te::Tensor Schedule::CacheRead(const te::Tensor& tensor, expr::Scope scope,
                               const std::vector<te::Tensor>& readers) {
  if (!state_->status.ok()) return tensor;
  schedule::CacheRead step{state_->NameOf(tensor), scope, {}, ""};
  for (const te::Tensor& reader : readers) {
    step.readers.push_back((*this)[reader].name());
  }
  state_->status = Apply(step);
  if (!state_->status.ok()) return tensor;
  const auto& applied = std::get<schedule::CacheRead>(state_->steps.back());
  return state_->Find(applied.cache)->state().tensor();
}

te::Tensor Schedule::RFactor(const te::Tensor& tensor, const Axis& axis,
                             int64_t position) {
  Stage& stage = (*this)[tensor];
  if (!stage.Usable(axis)) return tensor;
  state_->status =
      Apply(schedule::RFactor{stage.name(), axis.name, position, ""});
  if (!state_->status.ok()) return tensor;
  const auto& step = std::get<schedule::RFactor>(state_->steps.back());
  return state_->Find(step.factored)->state().tensors[tensor->output];
}

void ScheduleState::AddIntrin(std::shared_ptr<const te::TensorIntrin> intrin) {
  intrin->Check();
  CHECK(IsValidName(intrin->name)) << "intrinsic `" << intrin->name << "`";
  const auto& known = intrins.try_emplace(intrin->name, intrin).first->second;
  CHECK(known == intrin) << "two intrinsics are called `" << intrin->name
                         << "`";
}

void Schedule::AddIntrin(std::shared_ptr<const te::TensorIntrin> intrin) {
  state_->AddIntrin(std::move(intrin));
}

absl::Status Schedule::Apply(const Step& step) {
  Step named = step;
  ASSAY_RETURN_IF_ERROR(ApplyStep(*state_, named));
  state_->steps.push_back(std::move(named));
  return absl::OkStatus();
}

absl::Status Schedule::Replay(const std::vector<Step>& steps) {
  for (const Step& step : steps) ASSAY_RETURN_IF_ERROR(Apply(step));
  return absl::OkStatus();
}

const absl::Status& Schedule::status() const { return state_->status; }

absl::Status Schedule::Validate() const {
  ASSAY_RETURN_IF_ERROR(state_->status);
  ASSAY_RETURN_IF_ERROR(ValidateAttachments(*state_));
  for (const auto& stage : state_->stages) {
    ASSAY_RETURN_IF_ERROR(ValidateDoubleBuffer(*state_, *stage));
    ASSAY_RETURN_IF_ERROR(ValidatePrefetches(*state_, *stage));
  }
  return ValidateThreads(*state_);
}

const std::vector<te::Tensor>& Schedule::outputs() const {
  return state_->outputs;
}

std::vector<te::Tensor> Schedule::inputs() const {
  std::vector<te::Tensor> inputs;
  for (const NamedTensor& placeholder : state_->placeholders) {
    inputs.push_back(placeholder.tensor);
  }
  return inputs;
}

const std::vector<Step>& Schedule::steps() const { return state_->steps; }

std::string Schedule::ToString() const {
  std::string text;
  for (const Step& step : state_->steps) {
    absl::StrAppend(&text, schedule::ToString(step), "\n");
  }
  return text;
}

}  // namespace assay::schedule
