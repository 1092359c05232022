#include "compiler/te/tensor.h"

#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "compiler/expr/dag.h"
#include "compiler/expr/printer.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/tir/printer.h"
#include "compiler/tir/structural_equal.h"
#include "runtime/base/check.h"

namespace assay::te {
namespace {

using expr::ExprNames;
using expr::Read;
using expr::Reduce;
using expr::Var;

class ReadCollector : public expr::DagVisitor {
 public:
  std::vector<Tensor> tensors;

 protected:
  void VisitRead(const Read* read) override {
    if (seen_.insert(read->tensor.get()).second) {
      tensors.push_back(TensorOf(*read));
    }
    DagVisitor::VisitRead(read);
  }

 private:
  std::set<const expr::Counted*> seen_;
};

class ReduceCounter : public expr::DagVisitor {
 public:
  int count = 0;

 protected:
  void VisitReduce(const Reduce* reduce) override {
    ++count;
    DagVisitor::VisitReduce(reduce);
  }
};

void CheckReduceIsRoot(const Expr& body, const std::string& name) {
  ReduceCounter counter;
  counter.Visit(body);
  const bool root = body.As<Reduce>() != nullptr;
  CHECK_EQ(counter.count, root ? 1 : 0)
      << "a reduction must be the whole body of `" << name << "`";
}

// CHECKs that all bodies are expressions without Reduce, or the components of
// one reduction in order.
void CheckBodies(const std::vector<Expr>& bodies, const std::string& name) {
  CHECK(!bodies.empty()) << "`" << name << "` computes nothing";
  for (const Expr& body : bodies) CheckReduceIsRoot(body, name);
  const auto* first = bodies[0].As<Reduce>();
  const int values = first != nullptr ? first->reducer.size() : 0;
  CHECK(first == nullptr || values == static_cast<int>(bodies.size()))
      << "`" << name << "` has " << bodies.size() << " outputs but its "
      << "reduction has " << values << " values";
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const auto* reduce = bodies[i].As<Reduce>();
    bool fits = (reduce == nullptr) == (first == nullptr);
    if (fits && reduce != nullptr) {
      fits = reduce->value == i && reduce->reducer.same_as(first->reducer);
    }
    CHECK(fits) << "output " << i << " of `" << name
                << "` does not belong to the reduction of the first output";
  }
}

const TensorOp& FirstOf(const Tensor& tensor) {
  return tensor->owner == nullptr
             ? *tensor.get()
             : static_cast<const TensorOp&>(tensor->Holder());
}

// ` = extern(a, b)`; for the first output also the statements, one per line.
std::string NestText(const Tensor& tensor) {
  std::vector<std::string> inputs;
  for (const Tensor& input : InputsOf(tensor)) inputs.push_back(input.name());
  std::string text =
      absl::StrCat(" = extern(", absl::StrJoin(inputs, ", "), ")");
  if (tensor->output > 0) return text;
  std::string stmt = tir::ToString(tensor->nest->stmt);
  while (!stmt.empty() && stmt.back() == '\n') stmt.pop_back();
  for (absl::string_view line : absl::StrSplit(stmt, '\n')) {
    absl::StrAppend(&text, "\n  ", line);
  }
  return text;
}

std::string LineOf(const Tensor& tensor) {
  std::string line = tensor.name();
  ExprNames names;
  if (tensor->body.defined()) {
    line.push_back('[');
    for (const Expr& axis : tensor->axes) {
      if (line.back() != '[') line.append(", ");
      expr::PrintExpr(axis, names, &line);
    }
    line.push_back(']');
  }
  absl::StrAppend(&line, ": ", tensor.dtype().ToString(),
                  ShapeToString(tensor.shape()));
  if (tensor->body.defined()) {
    line.append(" = ");
    expr::PrintExpr(tensor->body, names, &line);
  }
  if (tensor.is_extern()) line.append(NestText(tensor));
  return line;
}

bool SameNest(const Tensor& a, const Tensor& b, const expr::Renaming& names) {
  const ExternBody &left = *a->nest, &right = *b->nest;
  if (left.inputs.size() != right.inputs.size()) return false;
  for (size_t i = 0; i < left.inputs.size(); ++i) {
    if (!names.Same(left.inputs[i].get(), right.inputs[i].get())) return false;
  }
  const auto function = [](const ExternBody& body) {
    return tir::Function{"nest", body.input_buffers, body.output_buffers,
                         body.stmt};
  };
  return tir::StructurallyEqual(function(left), function(right));
}

bool SameTensor(const Tensor& a, const Tensor& b, expr::Renaming& renaming) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape() ||
      a->op_kind != b->op_kind || a->output != b->output ||
      a->others.size() != b->others.size()) {
    return false;
  }
  for (size_t i = 0; i < a->axes.size(); ++i) {
    renaming.Bind(a->axes[i].get(), b->axes[i].get());
  }
  if (a->body.defined() &&
      !expr::StructurallyEqual(a->body, b->body, renaming)) {
    return false;
  }
  if (a.is_extern() && !SameNest(a, b, renaming)) return false;
  renaming.Bind(a.get(), b.get());
  return true;
}

}  // namespace

Expr Tensor::operator()(std::vector<Expr> indices) const {
  CHECK(defined());
  CHECK_EQ(static_cast<int>(indices.size()), ndim())
      << "number of indices into `" << name() << "`";
  return Read::Make(*this, std::move(indices));
}

std::vector<Tensor> MakeOutputs(
    const std::string& name, size_t count,
    const std::function<void(int, TensorOp&)>& fill) {
  auto* first = new TensorOp;
  std::vector<Tensor> tensors = {Tensor(first)};
  for (size_t i = 0; i < count; ++i) {
    TensorOp* op = first;
    if (i > 0) {
      first->others.push_back(std::make_unique<TensorOp>());
      op = first->others.back().get();
      op->owner = first;
      tensors.emplace_back(op);
    }
    op->name = count == 1 ? name : absl::StrCat(name, ".", i);
    op->output = static_cast<int>(i);
    fill(static_cast<int>(i), *op);
  }
  return tensors;
}

Tensor Placeholder(Shape shape, DType dtype, std::string name) {
  auto* op = new TensorOp;
  op->name = std::move(name);
  op->dtype = dtype;
  op->shape = std::move(shape);
  return Tensor(op);
}

Tensor Compute(Shape shape, std::string name,
               const std::function<Expr(const std::vector<Expr>&)>& body,
               std::string tag, const std::vector<std::string>& axis_names) {
  const auto bodies = [&](const std::vector<Expr>& axes) {
    return std::vector<Expr>{body(axes)};
  };
  return ComputeTuple(std::move(shape), std::move(name), bodies, std::move(tag),
                      axis_names)[0];
}

std::vector<Tensor> ComputeTuple(
    Shape shape, std::string name,
    const std::function<std::vector<Expr>(const std::vector<Expr>&)>& body,
    std::string tag, const std::vector<std::string>& axis_names) {
  CHECK(axis_names.empty() || axis_names.size() == shape.size())
      << "number of axis names of `" << name << "`";
  std::vector<Expr> axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    axes.push_back(
        Var::Make(axis_names.empty() ? absl::StrCat("i", i) : axis_names[i]));
  }
  const std::vector<Expr> bodies = body(axes);
  CheckBodies(bodies, name);
  return MakeOutputs(name, bodies.size(), [&](int i, TensorOp& op) {
    op.op_kind = OpKind::kCompute;
    op.axes = axes;
    op.body = bodies[i];
    op.dtype = bodies[i].dtype();
    op.shape = shape;
    op.tag = tag;
  });
}

ReduceAxis MakeReduceAxis(int64_t extent, std::string name) {
  CHECK_GT(extent, 0) << "extent of reduction axis `" << name << "`";
  return {Var::Make(std::move(name)), extent};
}

Expr Sum(Expr source, std::vector<ReduceAxis> axes) {
  return Reduce::Make(expr::Combiner::kSum, std::move(source), std::move(axes));
}

Expr Prod(Expr source, std::vector<ReduceAxis> axes) {
  return Reduce::Make(expr::Combiner::kProd, std::move(source),
                      std::move(axes));
}

Expr MaxOver(Expr source, std::vector<ReduceAxis> axes) {
  return Reduce::Make(expr::Combiner::kMax, std::move(source), std::move(axes));
}

Expr MinOver(Expr source, std::vector<ReduceAxis> axes) {
  return Reduce::Make(expr::Combiner::kMin, std::move(source), std::move(axes));
}

std::vector<Expr> ReduceTuple(const expr::Reducer& reducer,
                              const std::vector<Expr>& sources,
                              const std::vector<ReduceAxis>& axes) {
  std::vector<Expr> values;
  for (int i = 0; i < reducer.size(); ++i) {
    values.push_back(Reduce::Make(reducer, sources, axes, i));
  }
  return values;
}

Tensor TensorOf(const Read& read) { return TensorOf(read.tensor); }

Tensor TensorOf(const expr::TensorRef& ref) {
  const auto* op = dynamic_cast<const TensorOp*>(ref.get());
  CHECK(op != nullptr) << "`" << ref->name << "` is not a te tensor";
  return Tensor(op);
}

std::vector<Tensor> OutputsOf(const Tensor& tensor) {
  const TensorOp& first = FirstOf(tensor);
  std::vector<Tensor> tensors = {Tensor(&first)};
  for (const auto& other : first.others) tensors.emplace_back(other.get());
  return tensors;
}

std::string OperationName(const Tensor& tensor) {
  const TensorOp& first = FirstOf(tensor);
  if (first.others.empty()) return first.name;
  return first.name.substr(0, first.name.rfind('.'));
}

std::vector<Tensor> TensorsRead(const Expr& e) {
  return TensorsRead(std::vector<Expr>{e});
}

std::vector<Tensor> TensorsRead(const std::vector<Expr>& exprs) {
  ReadCollector collector;
  for (const Expr& e : exprs) collector.Visit(e);
  return std::move(collector.tensors);
}

std::vector<Tensor> InputsOf(const Tensor& tensor) {
  if (tensor.is_extern()) {
    std::vector<Tensor> inputs;
    for (const expr::TensorRef& input : tensor->nest->inputs) {
      inputs.push_back(TensorOf(input));
    }
    return inputs;
  }
  std::vector<Expr> bodies;
  for (const Tensor& output : OutputsOf(tensor)) {
    if (!output.is_placeholder()) bodies.push_back(output->body);
  }
  return TensorsRead(bodies);
}

std::vector<Tensor> TopologicalOrder(const std::vector<Tensor>& outputs) {
  // A depth-first search with an explicit stack: fused graphs can be deep
  // chains.
  struct Frame {
    Tensor tensor;
    std::vector<Tensor> inputs;
    size_t next = 0;
  };
  std::vector<Tensor> order;
  std::set<const expr::Counted*> seen;
  std::vector<Frame> stack;
  auto push = [&](const Tensor& t) {
    const Tensor first(&FirstOf(t));
    if (seen.insert(first.get()).second) {
      stack.push_back({first, InputsOf(first)});
    }
  };
  for (const Tensor& output : outputs) {
    push(output);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next < frame.inputs.size()) {
        const Tensor input = frame.inputs[frame.next++];
        push(input);
      } else {
        for (const Tensor& t : OutputsOf(frame.tensor)) order.push_back(t);
        stack.pop_back();
      }
    }
  }
  return order;
}

bool StructurallyEqual(const std::vector<Tensor>& a,
                       const std::vector<Tensor>& b) {
  if (a.size() != b.size()) return false;
  const std::vector<Tensor> left = TopologicalOrder(a);
  const std::vector<Tensor> right = TopologicalOrder(b);
  if (left.size() != right.size()) return false;
  expr::Renaming renaming;
  for (size_t i = 0; i < left.size(); ++i) {
    if (!SameTensor(left[i], right[i], renaming)) return false;
  }
  for (size_t i = 0; i < a.size(); ++i) {
    if (!renaming.Same(a[i].get(), b[i].get())) return false;
  }
  return true;
}

std::string ToString(const std::vector<Tensor>& outputs) {
  std::string text;
  for (const Tensor& tensor : TopologicalOrder(outputs)) {
    absl::StrAppend(&text, LineOf(tensor), "\n");
  }
  return text;
}

}  // namespace assay::te
