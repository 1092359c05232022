// Widen: turns expressions of one lane into vector expressions. Private to
// passes/vectorize.
#ifndef ASSAY_COMPILER_TIR_PASSES_WIDEN_H_
#define ASSAY_COMPILER_TIR_PASSES_WIDEN_H_

#include <map>
#include <optional>

#include "compiler/tir/visitor.h"

namespace assay::tir {

// The buffers that Vectorize expanded to all lanes, by original buffer.
using ExpandedBuffers = std::map<const expr::BufferNode*, Buffer>;

// Redirects accesses of expanded buffers to the element of `lane`, an
// expression for the lane number; everything else is unchanged.
class LaneAccessMutator : public StmtMutator {
 public:
  LaneAccessMutator(const ExpandedBuffers& expanded, int lanes, Expr lane)
      : expanded_(expanded), lanes_(lanes), lane_(std::move(lane)) {}

 protected:
  Expr MutateLoad(const Expr& e, const expr::Load* node) override;
  Stmt MutateStore(const Stmt& s, const Store* node) override;

  // The index of the lane's copy of an element.
  Expr LaneIndex(const Expr& index) const;

  const ExpandedBuffers& expanded_;
  const int lanes_;
  const Expr lane_;
};

// Replaces the variable of a vectorized loop by the ramp of its values.
// Expressions that do not depend on it stay scalar until they are combined with
// a vector; For and IfThenElse must not depend on it.
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

// A condition, independent of `var`, that is sufficient (but may not be
// necessary) for `condition` to hold for var = min … min + lanes - 1; nullopt
// if none is found.
std::optional<Expr> HoldsForAllLanes(const Expr& condition, const Expr& var,
                                     const Expr& min, int lanes);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_WIDEN_H_
