#include "compiler/ops/inline_stages.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/expr/dag.h"
#include "compiler/expr/operations.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/expr/substitute.h"
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

using Indices = std::vector<Expr>;

struct IndicesLess {
  bool operator()(const Indices& a, const Indices& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        expr::StructuralLess());
  }
};

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

// An arm of a Select that is evaluated for an element of its stage.
struct Arm {
  const expr::Select* select = nullptr;
  int element = 0;  // number of the element in the plan
  bool holds = true;

  bool operator==(const Arm& other) const {
    return select == other.select && element == other.element &&
           holds == other.holds;
  }
};
using Arms = std::vector<Arm>;  // the outermost one first

// Makes `arms` those that contain both places.
void Join(const Arms& other, Arms* arms) {
  const auto end = std::mismatch(
      arms->begin(), arms->begin() + std::min(arms->size(), other.size()),
      other.begin());
  arms->erase(end.first, arms->end());
}

// Returns how many of several values are computed at most, if each is computed
// in its arms.
int64_t MostComputed(const std::vector<const Arms*>& values, size_t depth) {
  int64_t count = 0;
  std::map<std::pair<const expr::Select*, int>,
           std::map<bool, std::vector<const Arms*>>>
      selects;
  for (const Arms* arms : values) {
    if (arms->size() == depth) {
      ++count;
    } else {
      const Arm& arm = (*arms)[depth];
      selects[{arm.select, arm.element}][arm.holds].push_back(arms);
    }
  }
  for (const auto& [select, arms] : selects) {
    int64_t most = 0;
    for (const auto& [holds, inner] : arms) {
      most = std::max(most, MostComputed(inner, depth + 1));
    }
    count += most;
  }
  return count;
}

// A read in the body of a stage, and the arms that contain it.
struct PlacedRead {
  const expr::Read* read = nullptr;
  Arms arms;  // without the numbers of the elements
};

// Finds the reads in the bodies of a stage, without those of equal elements.
// Arms count only if code evaluates one of them: the condition must not depend
// on data or on the last axis, along which code is vectorized.
class Reads {
 public:
  Reads(const te::Tensor& tensor, const std::vector<Expr>& bodies) {
    if (!tensor->axes.empty()) last_axis_ = tensor->axes.back().get();
    for (const Expr& body : bodies) Find(body, {});
  }
  std::vector<PlacedRead> list;

 private:
  // Finds the reads in `e`, which is evaluated in `arms`, and maybe elsewhere.
  void Find(const Expr& e, Arms arms) {
    const auto [known, is_new] = visited_.try_emplace(e.get(), arms);
    if (!is_new) {
      const size_t before = known->second.size();
      Join(arms, &known->second);
      if (known->second.size() == before) return;
      arms = known->second;
    }
    const auto* select = e.As<expr::Select>();
    if (select != nullptr && IsUniform(select->condition)) {
      for (const bool holds : {true, false}) {
        Arms inner = arms;
        inner.push_back({select, 0, holds});
        Find(holds ? select->true_value : select->false_value, inner);
      }
      return;
    }
    if (const auto* read = e.As<expr::Read>()) Add(read, arms);
    for (const Expr& operand : expr::OperandsOf(e)) Find(operand, arms);
  }

  void Add(const expr::Read* read, const Arms& arms) {
    const auto [known, is_new] =
        seen_[read->tensor.get()].try_emplace(read->indices, list.size());
    if (is_new) {
      list.push_back({read, arms});
    } else {
      Join(arms, &list[known->second].arms);
    }
  }

  bool IsUniform(const Expr& condition) const {
    if (condition.kind() == expr::ExprKind::kRead) return false;
    if (condition.get() == last_axis_) return false;
    const std::vector<Expr> operands = expr::OperandsOf(condition);
    return std::all_of(operands.begin(), operands.end(),
                       [this](const Expr& e) { return IsUniform(e); });
  }

  const expr::ExprNode* last_axis_ = nullptr;
  std::map<const expr::ExprNode*, Arms> visited_;
  // The position in the list of each element.
  std::map<const expr::TensorNode*, std::map<Indices, size_t, IndicesLess>>
      seen_;
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
        info.reads = Reads(tensor, state.bodies).list;
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
    info.stored = !info.stays && !info.placed && info.tensor->others.empty() &&
                  info.tensor->output == 0 &&
                  (info.too_deep || info.large_index || IsTooLong(info) ||
                   CountRecomputed(info) * info.operations > kMaxRecomputed ||
                   copies * info.operations > kMaxCopies);
    if (info.stays || info.stored) {
      info.elements = {{{info.number, info.tensor->axes},
                        {info.tensor->axes, {}, num_elements_++}}};
    }
    for (const auto& [element, need] : info.elements) {
      written_[element.stage] += Written(info, element);
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

  // Returns the operations of an element as they are written in the expression
  // of the stage that needs it, without those of elements that it reads.
  static int64_t Written(const Info& info, const Element& element) {
    expr::VarMap<Expr> axes;
    for (size_t d = 0; d < element.indices.size(); ++d) {
      axes[info.tensor->axes[d]] = element.indices[d];
    }
    int64_t operations = 0;
    for (const Expr& body : info.bodies) {
      operations += expr::CountOperations(expr::SubstituteInDag(body, axes));
    }
    return std::min(operations, expr::kMaxOperations);
  }

  // Returns true if the expression of a stage would be too long with the
  // elements of this one.
  bool IsTooLong(const Info& info) const {
    std::map<int, int64_t> written;  // by stage
    for (const auto& [element, need] : info.elements) {
      int64_t& all = written[element.stage];
      if (all == 0) all = written_[element.stage];
      all += Written(info, element);
      if (all > kMaxWritten) return true;
    }
    return false;
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
    return MostComputed(values, 0) -
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
      arm.element = need.number;
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
