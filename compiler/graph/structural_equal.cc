#include "compiler/graph/structural_equal.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/printer.h"

namespace assay::graph {
namespace {

class Comparer {
 public:
  Comparer(const Graph& a, const Graph& b, const EqualOptions& options)
      : a_(a), b_(b), options_(options) {}

  std::string Run() {
    if (std::string difference = CompareSignatures(); !difference.empty()) {
      return difference;
    }
    // A stack of pairs instead of recursion: graphs may be deep.
    while (!pending_.empty()) {
      const auto [x, y] = pending_.back();
      pending_.pop_back();
      if (std::string difference = CompareNodes(*x, *y); !difference.empty()) {
        return difference;
      }
    }
    if (a_.num_nodes() != b_.num_nodes()) {
      return absl::StrCat("the first graph has ", a_.num_nodes(),
                          " nodes, the second ", b_.num_nodes(),
                          "; some are not needed by any output");
    }
    return "";
  }

 private:
  std::string CompareSignatures() {
    if (a_.inputs().size() != b_.inputs().size() ||
        a_.outputs().size() != b_.outputs().size()) {
      return absl::StrCat("the first graph has ", a_.inputs().size(),
                          " inputs and ", a_.outputs().size(),
                          " outputs, the second ", b_.inputs().size(), " and ",
                          b_.outputs().size());
    }
    for (size_t i = 0; i < a_.inputs().size(); ++i) {
      const Node* x = a_.inputs()[i];
      const Node* y = b_.inputs()[i];
      if (x->type() != y->type() ||
          (options_.compare_names && x->name() != y->name())) {
        return absl::StrCat("input ", i, " is `", x->name(), ": ",
                            x->type().ToString(), "` against `", y->name(),
                            ": ", y->type().ToString(), "`");
      }
      forward_[x] = y;
      backward_[y] = x;
    }
    for (size_t i = 0; i < a_.outputs().size(); ++i) {
      const Output& x = a_.outputs()[i];
      const Output& y = b_.outputs()[i];
      if (options_.compare_names && x.name != y.name) {
        return absl::StrCat("output ", i, " is named `", x.name, "` against `",
                            y.name, "`");
      }
      if (x.axis != y.axis || x.extent != y.extent) {
        return absl::StrCat("output ", i, " is bounded in another way");
      }
      if (!Match(x.value, y.value)) {
        return absl::StrCat("output ", i, " is ", Show(x.value), " against ",
                            Show(y.value));
      }
    }
    return "";
  }

  // Pairs the two values. Returns false if one of them already has another
  // partner.
  bool Match(Value x, Value y) {
    if (x.index != y.index) return false;
    const auto [it, fresh] = forward_.insert({x.node, y.node});
    const auto [back, fresh_back] = backward_.insert({y.node, x.node});
    if (it->second != y.node || back->second != x.node) return false;
    if (fresh) pending_.push_back({x.node, y.node});
    return true;
  }

  std::string CompareNodes(const Node& x, const Node& y) {
    const auto differ = [&](absl::string_view what) {
      return absl::StrCat(what, " differs: `", ToString(x), "` against `",
                          ToString(y), "`");
    };
    if (x.kind() != y.kind()) return differ("the operator");
    if (x.types() != y.types()) return differ("the type");
    if (x.kind() == OpKind::kKernel) {
      const std::string inner =
          FirstDifference(*x.attrs_as<KernelAttrs>().body,
                          *y.attrs_as<KernelAttrs>().body, options_);
      if (!inner.empty()) {
        return absl::StrCat("kernel ", x.Label(), " against ", y.Label(), ": ",
                            inner);
      }
    } else if (!AttrsEqual(x.attrs(), y.attrs())) {
      return differ("an attribute");
    }
    if (options_.compare_names &&
        (x.name() != y.name() || x.sources() != y.sources())) {
      return differ("the name");
    }
    if (x.num_inputs() != y.num_inputs()) {
      return differ("the number of operands");
    }
    for (int i = 0; i < x.num_inputs(); ++i) {
      if (!Match(x.input(i), y.input(i))) {
        return absl::StrCat(differ(absl::StrCat("operand ", i)), ", that is ",
                            Show(x.input(i)), " against ", Show(y.input(i)));
      }
    }
    return "";
  }

  static std::string Show(Value value) {
    return absl::StrCat("`", ToString(value), "` of `", ToString(*value.node),
                        "`");
  }

  const Graph& a_;
  const Graph& b_;
  const EqualOptions& options_;
  absl::flat_hash_map<const Node*, const Node*> forward_;
  absl::flat_hash_map<const Node*, const Node*> backward_;
  std::vector<std::pair<const Node*, const Node*>> pending_;
};

}  // namespace

std::string FirstDifference(const Graph& a, const Graph& b,
                            const EqualOptions& options) {
  return Comparer(a, b, options).Run();
}

}  // namespace assay::graph
