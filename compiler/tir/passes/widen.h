// Widen: an expression of one lane becomes that of all lanes. Private to
// passes/vectorize.
#ifndef ASSAY_COMPILER_TIR_PASSES_WIDEN_H_
#define ASSAY_COMPILER_TIR_PASSES_WIDEN_H_

#include <map>
#include <optional>

#include "compiler/tir/visitor.h"

namespace assay::tir {

// The buffers that Vectorize gave room for every lane, by what they were.
using ExpandedBuffers = std::map<const expr::BufferNode*, Buffer>;

// Accesses to expanded buffers go to the element of `lane`, an expression of
// the lane's number; everything else is left as it is.
class LaneAccessMutator : public StmtMutator {
 public:
  LaneAccessMutator(const ExpandedBuffers& expanded, int lanes, Expr lane)
      : expanded_(expanded), lanes_(lanes), lane_(std::move(lane)) {}

 protected:
  Expr MutateLoad(const Expr& e, const expr::Load* node) override;
  Stmt MutateStore(const Stmt& s, const Store* node) override;

  // The index of the lane's own copy of an element.
  Expr LaneIndex(const Expr& index) const;

  const ExpandedBuffers& expanded_;
  const int lanes_;
  const Expr lane_;
};

// Replaces the variable of a vectorized loop by the ramp of its values. Values
// that do not depend on it stay scalar until they meet a vector; For and
// IfThenElse must not depend on it.
class Widener : public LaneAccessMutator {
 public:
  Widener(const ExpandedBuffers& expanded, Expr var, const Expr& min,
          int lanes);
  using StmtMutator::Mutate;

 protected:
  Expr MutateVar(const Expr& e, const expr::Var* node) override;
#define ASSAY_DECLARE(Kind) \
  Expr Mutate##Kind(const Expr& e, const struct expr::Kind* node) override;
  ASSAY_EXPR_BINARY_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
  Expr MutateSelect(const Expr& e, const expr::Select* node) override;
  Expr MutateCall(const Expr& e, const expr::Call* node) override;
  Stmt MutateStore(const Stmt& s, const Store* node) override;

 private:
  Expr Broadcast(const Expr& e) const;

  const Expr var_, ramp_;
};

// A condition on the variables other than `var` that holds if (perhaps not only
// if) `condition` holds for var = min … min + lanes - 1; nothing where none is
// known.
std::optional<Expr> HoldsForAllLanes(const Expr& condition, const Expr& var,
                                     const Expr& min, int lanes);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_WIDEN_H_
