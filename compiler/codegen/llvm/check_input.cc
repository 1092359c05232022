#include "compiler/codegen/llvm/check_input.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/vector_index.h"
#include "compiler/expr/printer.h"
#include "compiler/tir/thread_pragma.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

using expr::Intrinsic;

bool IsIdentifier(const std::string& name) {
  if (name.empty() || absl::ascii_isdigit(name[0])) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

// The operand type of a comparison; the type of any other expression.
DType OperandType(const expr::Expr& e) {
  switch (e.kind()) {
#define ASSAY_CASE(Kind)        \
  case expr::ExprKind::k##Kind: \
    return e.As<struct expr::Kind>()->a.dtype();
    ASSAY_CASE(EQ)
    ASSAY_CASE(NE)
    ASSAY_CASE(LT)
    ASSAY_CASE(LE)
#undef ASSAY_CASE
    default:
      return e.dtype();
  }
}

bool IsReinterpretation(const expr::Expr& e) {
  const auto* call = e.As<expr::Call>();
  return call != nullptr && call->intrinsic == Intrinsic::kReinterpret;
}

class InputChecker : public tir::StmtVisitor {
 public:
  explicit InputChecker(const target::Target& target) : target_(target) {}
  using StmtVisitor::Visit;

  // The first error found.
  const absl::Status& status() const { return status_; }

  void Visit(const expr::Expr& e) override {
    if (!status_.ok()) return;
    const DType type = OperandType(e);
    const bool is_moved_only =
        e.As<expr::Load>() != nullptr || e.As<expr::Cast>() != nullptr ||
        e.As<expr::Broadcast>() != nullptr ||
        e.As<expr::FloatImm>() != nullptr || e.As<expr::Select>() != nullptr ||
        IsReinterpretation(e);
    if (type.is_float() && type.bits() == 16 && !is_moved_only) {
      return Fail(absl::UnimplementedError(
          absl::StrCat("arithmetic on `", type.ToString(), "`: `",
                       expr::ToString(e), "`; cast to float32 first")));
    }
    StmtVisitor::Visit(e);
  }

 private:
  void VisitLoad(const expr::Load* load) override {
    CheckIndices(load->buffer, load->indices.size());
    StmtVisitor::VisitLoad(load);
  }
  void VisitStore(const tir::Store* store) override {
    CheckIndices(store->buffer, store->indices.size());
    StmtVisitor::VisitStore(store);
  }
  void VisitCall(const expr::Call* call) override {
    if (expr::IsElementary(call->intrinsic)) {
      return Fail(absl::InternalError(
          absl::StrCat("`", expr::IntrinsicName(call->intrinsic),
                       "` was not expanded before code generation")));
    }
    switch (call->intrinsic) {
      case Intrinsic::kFma:
        if (call->dtype.bits() == 64 && !target_.fma()) {
          return Fail(absl::UnimplementedError(
              absl::StrCat("fma on float64 for `", target_.ToString(), "`")));
        }
        break;
      default:
        break;
    }
    StmtVisitor::VisitCall(call);
    CheckTileProduct(*call);
  }
  void VisitPragma(const tir::Pragma* pragma) override {
    const std::string thread = tir::ThreadOfPragma(pragma->key);
    if (!thread.empty()) {
      return Fail(absl::UnimplementedError(
          absl::StrCat("it runs on the GPU threads `", thread, "`, which `",
                       target_.ToString(), "` does not have")));
    }
    StmtVisitor::VisitPragma(pragma);
  }
  void VisitRead(const expr::Read* read) override {
    Fail(absl::InternalError(absl::StrCat("tensor `", read->tensor->name,
                                          "` is read; not valid in tir")));
  }
  void VisitReduce(const expr::Reduce*) override {
    Fail(absl::InternalError("a reduction is not valid in tir"));
  }
  void CheckTileProduct(const expr::Call& call) {
    const expr::TileFactors* types = expr::FindTileFactors(call.intrinsic);
    if (types == nullptr) return;
    const char* feature = types->sum.is_float() ? "amx-bf16" : "amx-int8";
    if (!target_.HasFeature(feature)) {
      return Fail(absl::UnimplementedError(absl::StrCat(
          "`", expr::IntrinsicName(call.intrinsic), "` needs `", feature,
          "`, a matrix unit that `", target_.ToString(), "` does not have")));
    }
    for (const size_t i : {1, 2}) {
      if (AsTileLoad(call.args[i]).has_value()) continue;
      Fail(absl::InternalError(absl::StrCat(
          "factor ", i, " of `", expr::IntrinsicName(call.intrinsic),
          "` is not a load of 16 rows of consecutive elements")));
    }
  }
  void CheckIndices(const expr::Buffer& buffer, size_t count) {
    if (count == 1) return;
    Fail(absl::InternalError(
        absl::StrCat("buffer `", buffer->name, "` is accessed with ", count,
                     " indices; flatten it before code generation")));
  }
  void Fail(absl::Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  const target::Target& target_;
  absl::Status status_;
};

}  // namespace

absl::Status CheckInput(const tir::Function& function,
                        const target::Target& target) {
  if (!IsIdentifier(function.name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", function.name,
                     "` is not a valid kernel name, which consists of letters, "
                     "digits and underscores"));
  }
  InputChecker checker(target);
  checker.Visit(function.body);
  if (checker.status().ok()) return absl::OkStatus();
  return absl::Status(checker.status().code(),
                      absl::StrCat("kernel `", function.name,
                                   "`: ", checker.status().message()));
}

}  // namespace assay::codegen
