#include "compiler/te/tensor_intrin.h"

#include <set>

#include "compiler/expr/visitor.h"
#include "runtime/base/check.h"

namespace assay::te {
namespace {

class ReadChecker : public expr::ExprVisitor {
 public:
  explicit ReadChecker(const std::string& name) : name_(name) {}

 protected:
  void VisitRead(const expr::Read* read) override {
    CHECK(TensorOf(*read).is_placeholder())
        << "intrinsic `" << name_ << "` reads `" << read->tensor->name << "`";
    CHECK(seen_.insert(read->tensor.get()).second)
        << "intrinsic `" << name_ << "` reads `" << read->tensor->name
        << "` twice";
    for (const Expr& index : read->indices) {
      CHECK(index.As<expr::Var>() != nullptr)
          << "intrinsic `" << name_ << "`: index " << index << " of `"
          << read->tensor->name << "` is not an axis";
    }
  }

 private:
  const std::string& name_;
  std::set<const expr::Counted*> seen_;
};

}  // namespace

Expr IntrinOperand::At(const std::vector<int64_t>& indices) const {
  CHECK_EQ(indices.size(), strides.size())
      << "number of indices into `" << buffer->name << "`";
  int64_t offset = 0;
  for (size_t i = 0; i < indices.size(); ++i) offset += indices[i] * strides[i];
  return base + static_cast<int>(offset);
}

Expr IntrinOperand::LoadAt(const std::vector<int64_t>& indices,
                           int lanes) const {
  const Expr index = At(indices);
  return expr::Load::Make(
      buffer, {lanes == 1 ? index : expr::Ramp::Make(index, 1, lanes)});
}

Expr IntrinOperand::RowsAt(int rows, int lanes) const {
  const int total = rows * lanes, gap = static_cast<int>(strides[0]) - lanes;
  const Expr consecutive = expr::Ramp::Make(base, 1, total);
  if (gap == 0) return consecutive;
  const auto all = [=](int value) {
    return expr::Broadcast::Make(value, total);
  };
  return consecutive + expr::Ramp::Make(0, 1, total) / all(lanes) * all(gap);
}

void TensorIntrin::Check() const {
  CHECK(compute.defined() && !compute.is_placeholder())
      << "intrinsic `" << name << "` computes nothing";
  const bool reduction = compute->body.As<expr::Reduce>() != nullptr;
  CHECK(body != nullptr || (reduction && update != nullptr))
      << "intrinsic `" << name << "` has no implementation";
  ReadChecker(name).Visit(compute->body);
  const std::vector<Tensor> inputs = InputsOf(compute);
  if (strides.empty()) return;
  CHECK_EQ(strides.size(), inputs.size() + 1)
      << "number of stride lists of intrinsic `" << name << "`";
  for (size_t i = 0; i < strides.size(); ++i) {
    const Tensor& tensor = i < inputs.size() ? inputs[i] : compute;
    CHECK(strides[i].empty() ||
          static_cast<int>(strides[i].size()) == tensor.ndim())
        << "number of strides of `" << tensor.name() << "` of intrinsic `"
        << name << "`";
  }
}

}  // namespace assay::te
