#include "compiler/ops/inlining/inline_stages.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/expr/dag.h"
#include "compiler/expr/operations.h"
#include "compiler/expr/substitute.h"
#include "compiler/ops/inlining/placed_reads.h"
#include "compiler/tir/simplify/simplify.h"

namespace assay::ops {
namespace {

using expr::Expr;
using schedule::Schedule;

// Storing a value and reading it again takes about as long as this many
// operations of a vector.
constexpr int64_t kMaxRecomputed = 100;
// The most operations of all copies of a value in the code, most of which are
// not executed, because they are in arms of Selects that exclude each other.
constexpr int64_t kMaxCopies = 1000;
// Reshapes, which divide, contribute most to the operations of an index.
constexpr int64_t kMaxIndexOperations = 128;
// A chain of reshapes often cancels, but lowering has to simplify indices, and
// the whole expression of a stage, as they are written.
constexpr int64_t kMaxWrittenIndex = 8192;
constexpr int64_t kMaxWritten = 80000;
// Indices of fewer operations are not simplified here.
constexpr int64_t kSmallIndex = 8;
// Bounds the stack of recursive functions, and the blocks of instructions that
// LLVM gets, for which it needs more than linear time.
constexpr int kMaxLevels = 200;

// An element of a tensor: its index in terms of the axes of a stage that is not
// inlined, as written. Indices that are equal only after they are simplified
// are different elements, because they are different after inlining.
struct Element {
  int stage = 0;  // number of that stage in the order of the plan
  Indices indices;

  // The order does not depend on addresses, so that every run of the compiler
  // decides alike.
  bool operator<(const Element& other) const {
    if (stage != other.stage) return stage < other.stage;
    return IndicesLess()(indices, other.indices);
  }
};

class Plan {
 public:
  Plan(const Schedule& s, const te::Tensor& output,
       const std::function<bool(const te::Tensor&)>& stays) {
    for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
      if (tensor.is_placeholder()) continue;
      const schedule::StageState& state = s[tensor].state();
      Info& info = infos_[tensor.get()];
      info.number = static_cast<int>(order_.size());
      info.tensor = tensor;
      info.stays = state.is_output || stays(tensor);
      if (!state.is_extern()) {
        info.bodies = state.bodies;
        info.reads = FindReads(tensor, state.bodies);
      }
      Measure(state, info);
      order_.push_back(&info);
    }
    written_.resize(order_.size());
    for (auto info = order_.rbegin(); info != order_.rend(); ++info) {
      Decide(**info);
    }
  }

  // The tensors to inline, readers first.
  std::vector<te::Tensor> Inlined() const {
    std::vector<te::Tensor> tensors;
    for (auto info = order_.rbegin(); info != order_.rend(); ++info) {
      if (!(*info)->stays && !(*info)->stored) {
        tensors.push_back((*info)->tensor);
      }
    }
    return tensors;
  }

  std::vector<te::Tensor> Stored() const {
    std::vector<te::Tensor> tensors;
    for (const Info* info : order_) {
      if (info->stored) tensors.push_back(info->tensor);
    }
    return tensors;
  }

 private:
  // An element that readers need.
  struct Need {
    Indices simplified;
    Arms arms;
    int number = 0;  // of the element
  };
  struct Info {
    int number = 0;  // in order_
    te::Tensor tensor;
    bool stays = false;   // placed by the template
    bool placed = false;  // depends on a stage that is
    bool stored = false;
    std::vector<Expr> bodies;
    std::vector<PlacedRead> reads;
    // The operations of an element if everything before it is inlined.
    int64_t operations = 0;
    // The levels of its expression, counted likewise.
    int levels = 0;
    bool too_deep = false;
    // The elements that readers need if this stage is inlined.
    std::map<Element, Need> elements;
    bool large_index = false;
  };

  Info* Find(const expr::Read& read) {
    const auto found =
        infos_.find(static_cast<const te::TensorOp*>(read.tensor.get()));
    return found == infos_.end() ? nullptr : &found->second;
  }

  void Measure(const schedule::StageState& state, Info& info) {
    int own_levels = 0;
    for (const Expr& body : state.bodies) {
      info.operations += expr::CountOperations(body);
      own_levels = std::max(own_levels, expr::CountLevels(body));
    }
    for (const PlacedRead& placed : info.reads) {
      const Info* producer = Find(*placed.read);
      if (producer == nullptr) continue;
      info.placed |= producer->stays || producer->placed;
      if (producer->stays) continue;
      info.operations += producer->operations;
      info.levels = std::max(info.levels, producer->levels);
    }
    info.levels += own_levels;
    info.too_deep = info.levels > kMaxLevels && !info.stays && !info.placed;
    if (info.too_deep) info.levels = 0;
    info.operations = std::min(info.operations, expr::kMaxOperations);
  }

  // All readers have been decided.
  void Decide(Info& info) {
    const auto copies = static_cast<int64_t>(info.elements.size()) - 1;
    const bool may_be_stored = !info.stays && !info.placed &&
                               info.tensor->others.empty() &&
                               info.tensor->output == 0;
    info.stored = may_be_stored && (info.too_deep || info.large_index);
    std::map<int, int64_t> written;
    if (!info.stays && !info.stored) {
      written = Written(info);
      info.stored = may_be_stored &&
                    (IsTooLong(written) ||
                     CountRecomputed(info) * info.operations > kMaxRecomputed ||
                     copies * info.operations > kMaxCopies);
    }
    if (info.stays || info.stored) {
      info.elements = {{{info.number, info.tensor->axes},
                        {info.tensor->axes, {}, num_elements_++}}};
      written = Written(info);
    }
    for (const auto& [stage, operations] : written) {
      written_[stage] += operations;
    }
    for (const PlacedRead& placed : info.reads) {
      Info* producer = Find(*placed.read);
      if (producer == nullptr || producer->stays) continue;
      for (const auto& [element, need] : info.elements) {
        AddRead(placed, info, element, need, *producer);
      }
    }
    info.elements.clear();
  }

  // Returns the operations that the elements of a stage add to the expression
  // of each stage that needs them, as they are written, without those of what
  // they read.
  static std::map<int, int64_t> Written(const Info& info) {
    std::map<int, int64_t> written;
    for (const auto& [element, need] : info.elements) {
      expr::VarMap<Expr> axes;
      for (size_t d = 0; d < element.indices.size(); ++d) {
        axes[info.tensor->axes[d]] = element.indices[d];
      }
      int64_t& operations = written[element.stage];
      for (const Expr& body : info.bodies) {
        operations += expr::CountOperations(expr::SubstituteInDag(body, axes));
      }
      operations = std::min(operations, expr::kMaxOperations);
    }
    return written;
  }

  // Returns true if the expression of a stage would be too long with this.
  bool IsTooLong(const std::map<int, int64_t>& written) const {
    return std::any_of(written.begin(), written.end(), [this](const auto& w) {
      return written_[w.first] + w.second > kMaxWritten;
    });
  }

  // Returns how many elements of a stage are computed again. Each stage of the
  // template computes an element once. A stage that is stored is an addition of
  // this plan, so what it computes again counts.
  int64_t CountRecomputed(const Info& info) const {
    std::set<int> of_template;
    std::vector<const Arms*> values;
    for (const auto& [element, need] : info.elements) {
      if (!order_[element.stage]->stored) of_template.insert(element.stage);
      values.push_back(&need.arms);
    }
    return MostComputed(values) -
           std::max<int64_t>(1, static_cast<int64_t>(of_template.size()));
  }

  void AddRead(const PlacedRead& placed, const Info& reader,
               const Element& element, const Need& need, Info& producer) {
    // Enough to be stored. A stage that must be inlined is needed where the
    // result is, in general.
    if (producer.elements.size() > kMaxRecomputed) return;
    expr::VarMap<Expr> axes, simple_axes;
    for (size_t d = 0; d < element.indices.size(); ++d) {
      axes[reader.tensor->axes[d]] = element.indices[d];
      simple_axes[reader.tensor->axes[d]] = need.simplified[d];
    }
    const te::Tensor& stage = order_[element.stage]->tensor;
    tir::VarBounds bounds;
    for (size_t d = 0; d < stage->axes.size(); ++d) {
      bounds[stage->axes[d]] = {0, stage->shape[d] - 1};
    }
    Element needed = {element.stage, {}};
    Need its_need = {{}, need.arms, num_elements_};
    for (Arm arm : placed.arms) {
      arm.evaluation = need.number;
      its_need.arms.push_back(arm);
    }
    for (const Expr& index : placed.read->indices) {
      needed.indices.push_back(expr::SubstituteInDag(index, axes));
      Expr simple = expr::SubstituteInDag(index, simple_axes);
      if (expr::CountOperations(simple) > kSmallIndex) {
        simple = tir::Simplify(simple, bounds);
      }
      producer.large_index |=
          expr::CountOperations(simple) > kMaxIndexOperations ||
          expr::CountOperations(needed.indices.back()) > kMaxWrittenIndex;
      its_need.simplified.push_back(simple);
    }
    const auto known = producer.elements.find(needed);
    if (known != producer.elements.end()) {
      Join(its_need.arms, &known->second.arms);
      return;
    }
    producer.elements.emplace(std::move(needed), std::move(its_need));
    ++num_elements_;
  }

  std::map<const te::TensorOp*, Info> infos_;
  std::vector<Info*> order_;  // producers first
  // Operations of the expression of each stage that is not inlined.
  std::vector<int64_t> written_;
  int num_elements_ = 0;
};

}  // namespace

std::vector<te::Tensor> InlineStages(
    Schedule& s, const te::Tensor& output,
    const std::function<bool(const te::Tensor&)>& stays) {
  const Plan plan(s, output, stays);
  // Readers first: when a stage is inlined, all its uses are in the stages that
  // stay, and equal uses become one node.
  for (const te::Tensor& tensor : plan.Inlined()) s[tensor].ComputeInline();
  return plan.Stored();
}

}  // namespace assay::ops
