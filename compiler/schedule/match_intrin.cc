#include "compiler/schedule/match_intrin.h"

#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/expr/visitor.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

using expr::Expr;

template <typename... Parts>
absl::Status Differs(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

std::string Text(const Expr& e) {
  std::ostringstream os;
  os << e;
  return os.str();
}

// Replaces each read of an expression by a new variable, and collects the
// reads.
class ReadTaker : public expr::ExprMutator {
 public:
  std::vector<const expr::Read*> reads;
  std::vector<Expr> vars;

 protected:
  Expr MutateRead(const Expr& e, const expr::Read* read) override {
    reads.push_back(read);
    vars.push_back(
        expr::Var::Make(absl::StrCat("read", vars.size()), e.dtype()));
    return vars.back();
  }
};

// A data or reduce axis of the declaration.
struct DeclaredAxis {
  Expr var;
  int64_t extent = 0;
  AxisKind kind = AxisKind::kData;
};

std::vector<DeclaredAxis> AxesOf(const te::TensorIntrin& intrin) {
  std::vector<DeclaredAxis> axes;
  for (size_t i = 0; i < intrin.compute->axes.size(); ++i) {
    axes.push_back(
        {intrin.compute->axes[i], intrin.compute.shape()[i], AxisKind::kData});
  }
  if (const auto* reduce = intrin.compute->body.As<expr::Reduce>()) {
    for (const te::ReduceAxis& axis : reduce->axes) {
      axes.push_back({axis.var, axis.extent, AxisKind::kReduce});
    }
  }
  return axes;
}

absl::Status MatchLoops(const StageState& stage, int position,
                        const AxisExtents& extents,
                        const te::TensorIntrin& intrin, AxisKind kind,
                        IntrinMatch& match) {
  const char* name = kind == AxisKind::kData ? "data" : "reduce";
  size_t leaf = position;
  auto next_leaf = [&] {
    while (leaf < stage.leaves.size() &&
           (stage.leaves[leaf].axis.kind != kind ||
            extents.at(stage.leaves[leaf].axis.name) == 1)) {
      ++leaf;
    }
  };
  for (const DeclaredAxis& axis : AxesOf(intrin)) {
    if (axis.kind != kind || axis.extent == 1) continue;
    next_leaf();
    const std::string& wanted = axis.var.As<expr::Var>()->name;
    if (leaf == stage.leaves.size()) {
      return Differs("there is no ", name, " loop for its axis `", wanted, "`");
    }
    const Axis& loop = stage.leaves[leaf++].axis;
    if (extents.at(loop.name) != axis.extent) {
      return Differs("`", loop.name, "` has ", extents.at(loop.name),
                     " iterations, its axis `", wanted, "` has ", axis.extent);
    }
    match.loops[axis.var] = loop.var;
  }
  next_leaf();
  if (leaf == stage.leaves.size()) return absl::OkStatus();
  return Differs("it has no ", name, " axis for `",
                 stage.leaves[leaf].axis.name, "`");
}

// Checks that a read of the body and the declared one depend on corresponding
// loops.
absl::Status MatchRead(const StageState& stage, int position,
                       const expr::VarMap<Expr>& values,
                       const IntrinMatch& match, const expr::Read& read,
                       const expr::Read& declared) {
  if (read.dtype != declared.dtype) {
    return Differs("`", read.tensor->name, "` is ", read.dtype.ToString(),
                   ", its `", declared.tensor->name, "` is ",
                   declared.dtype.ToString());
  }
  for (size_t i = position; i < stage.leaves.size(); ++i) {
    const Expr& loop = stage.leaves[i].axis.var;
    bool used = false, wanted = false;
    for (const Expr& index : read.indices) {
      used = used || expr::UsesVar(expr::Substitute(index, values), loop);
    }
    for (const Expr& index : declared.indices) {
      const auto found = match.loops.find(index);
      wanted =
          wanted || (found != match.loops.end() && found->second.same_as(loop));
    }
    if (used != wanted) {
      return Differs("`", stage.leaves[i].axis.name, "` ",
                     used ? "moves" : "does not move", " the read of `",
                     read.tensor->name, "`, unlike that of its `",
                     declared.tensor->name, "`");
    }
  }
  return absl::OkStatus();
}

// The reduced expression, or the whole body if it is not a reduction.
const Expr& SourceOf(const Expr& body) {
  const auto* reduce = body.As<expr::Reduce>();
  return reduce != nullptr ? reduce->sources[0] : body;
}

}  // namespace

absl::StatusOr<IntrinMatch> MatchIntrin(const StageState& stage, int position,
                                        const AxisExtents& extents,
                                        const te::TensorIntrin& intrin) {
  IntrinMatch match;
  ASSAY_RETURN_IF_ERROR(
      MatchLoops(stage, position, extents, intrin, AxisKind::kData, match));
  ASSAY_RETURN_IF_ERROR(
      MatchLoops(stage, position, extents, intrin, AxisKind::kReduce, match));
  if (stage.tensors.size() > 1) {
    return Differs("the stage has ", stage.tensors.size(), " outputs");
  }
  const Expr& declared_body = intrin.compute->body;
  const auto* reduce = stage.reduce();
  const auto* declared_reduce = declared_body.As<expr::Reduce>();
  if ((reduce == nullptr) != (declared_reduce == nullptr)) {
    return Differs("one is a reduction, the other is not");
  }
  if (reduce != nullptr &&
      !expr::StructurallyEqual(reduce->reducer, declared_reduce->reducer)) {
    return Differs("the reductions combine differently");
  }
  const AxisValues axes(stage, extents);
  for (const Guard& guard : axes.guards()) {
    if (guard.position >= position) {
      return Differs("`", Text(guard.condition), "` skips iterations");
    }
  }
  expr::VarMap<Expr> values;
  for (size_t i = 0; i < stage.data_axes.size(); ++i) {
    values[stage.tensor()->axes[i]] = axes[stage.data_axes[i]];
  }
  for (size_t i = 0; i < stage.reduce_axes.size(); ++i) {
    values[reduce->axes[i].var] = axes[stage.reduce_axes[i]];
  }
  ReadTaker taken, declared;
  const Expr source =
      expr::Substitute(taken.Mutate(SourceOf(stage.bodies[0])), values);
  const Expr declared_source =
      expr::Substitute(declared.Mutate(SourceOf(declared_body)), match.loops);
  expr::Renaming renaming;
  for (size_t i = 0; i < taken.vars.size() && i < declared.vars.size(); ++i) {
    renaming.Bind(taken.vars[i].get(), declared.vars[i].get());
  }
  if (taken.reads.size() != declared.reads.size() ||
      !expr::StructurallyEqual(source, declared_source, renaming)) {
    return Differs("what is computed is `", Text(source), "`, not `",
                   Text(declared_source), "`");
  }
  for (size_t i = 0; i < taken.reads.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(MatchRead(stage, position, values, match,
                                    *taken.reads[i], *declared.reads[i]));
  }
  match.inputs = std::move(taken.reads);
  match.declared = std::move(declared.reads);
  return match;
}

}  // namespace assay::schedule
