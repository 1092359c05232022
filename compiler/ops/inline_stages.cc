#include "compiler/ops/inline_stages.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/expr/dag.h"
#include "compiler/expr/operations.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/expr/substitute.h"

namespace assay::ops {
namespace {

using expr::Expr;
using schedule::Schedule;

// Storing a value and reading it again takes about as long as this many
// operations of a vector.
constexpr int64_t kMaxRecomputed = 100;
// Reshapes, which divide, contribute most to the operations of an index.
constexpr int64_t kMaxIndexOperations = 128;
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
// inlined.
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

// Collects the reads in the bodies of a stage, without those of equal elements.
class Reads : public expr::DagVisitor {
 public:
  explicit Reads(const std::vector<Expr>& bodies) {
    for (const Expr& body : bodies) Visit(body);
  }
  std::vector<const expr::Read*> list;

 private:
  void VisitRead(const expr::Read* read) override {
    if (seen_[read->tensor.get()].insert(read->indices).second) {
      list.push_back(read);
    }
    DagVisitor::VisitRead(read);
  }

  std::map<const expr::TensorNode*, std::set<Indices, IndicesLess>> seen_;
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
      if (!state.is_extern()) info.reads = Reads(state.bodies).list;
      Measure(state, info);
      order_.push_back(&info);
    }
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
  struct Info {
    int number = 0;  // in order_
    te::Tensor tensor;
    bool stays = false;   // placed by the template
    bool placed = false;  // depends on a stage that is
    bool stored = false;
    std::vector<const expr::Read*> reads;
    // The operations of an element if everything before it is inlined.
    int64_t operations = 0;
    // The levels of its expression, counted likewise.
    int levels = 0;
    bool too_deep = false;
    // The elements that readers need if this stage is inlined.
    std::set<Element> elements;
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
    for (const expr::Read* read : info.reads) {
      const Info* producer = Find(*read);
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
    const int64_t recomputed = CountRecomputed(info.elements);
    info.stored = !info.stays && !info.placed && info.tensor->others.empty() &&
                  info.tensor->output == 0 &&
                  (info.too_deep || info.large_index ||
                   recomputed * info.operations > kMaxRecomputed);
    if (info.stays || info.stored) {
      info.elements = {{info.number, info.tensor->axes}};
    }
    for (const expr::Read* read : info.reads) {
      Info* producer = Find(*read);
      if (producer == nullptr || producer->stays) continue;
      for (const Element& element : info.elements) {
        AddRead(*read, info, element, *producer);
      }
    }
    info.elements.clear();
  }

  // Returns how many of the elements are computed again. Each stage of the
  // template computes an element once. A stage that is stored is an addition of
  // this plan, so what it computes again counts.
  int64_t CountRecomputed(const std::set<Element>& elements) const {
    std::set<int> of_template;
    for (const Element& element : elements) {
      if (!order_[element.stage]->stored) of_template.insert(element.stage);
    }
    return static_cast<int64_t>(elements.size()) -
           std::max<int64_t>(1, static_cast<int64_t>(of_template.size()));
  }

  void AddRead(const expr::Read& read, const Info& reader,
               const Element& element, Info& producer) {
    // Enough to be stored. A stage that must be inlined is needed where the
    // result is, in general.
    if (producer.elements.size() > kMaxRecomputed) return;
    expr::VarMap<Expr> axes;
    for (size_t d = 0; d < element.indices.size(); ++d) {
      axes[reader.tensor->axes[d]] = element.indices[d];
    }
    Element needed = {element.stage, {}};
    for (const Expr& index : read.indices) {
      needed.indices.push_back(expr::SubstituteInDag(index, axes));
      producer.large_index |=
          expr::CountOperations(needed.indices.back()) > kMaxIndexOperations;
    }
    producer.elements.insert(std::move(needed));
  }

  std::map<const te::TensorOp*, Info> infos_;
  std::vector<Info*> order_;  // producers first
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
