#include "compiler/te/extern.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "runtime/base/check.h"

namespace assay::te {

using tir::Stmt;

Expr Array::operator()(std::vector<Expr> indices) const {
  CHECK_EQ(indices.size(), buffer_->shape.size())
      << "number of indices into `" << buffer_->name << "`";
  return expr::Load::Make(buffer_, std::move(indices));
}

void Array::Set(std::vector<Expr> indices, Expr value) const {
  CHECK_EQ(indices.size(), buffer_->shape.size())
      << "number of indices into `" << buffer_->name << "`";
  CHECK_EQ(value.dtype(), buffer_->dtype)
      << "type of a value stored to `" << buffer_->name << "`";
  for (const expr::Buffer& input : owner_->input_buffers_) {
    CHECK(!input.same_as(buffer_)) << "`" << buffer_->name << "` is an input";
  }
  owner_->blocks_.back().push_back(
      {tir::Store::Make(buffer_, std::move(indices), std::move(value)), {}});
}

Extern::Extern(std::string name) : name_(std::move(name)) {
  blocks_.emplace_back();
}

Array Extern::Input(const Tensor& tensor) {
  inputs_.push_back(tensor);
  input_buffers_.push_back(
      expr::MakeBuffer(tensor.name(), tensor.dtype(), tensor.shape()));
  return Array(this, input_buffers_.back());
}

Array Extern::Output(DType dtype, Shape shape) {
  output_buffers_.push_back(
      expr::MakeBuffer(absl::StrCat(name_, ".", output_buffers_.size()), dtype,
                       std::move(shape)));
  return Array(this, output_buffers_.back());
}

Array Extern::Scratch(DType dtype, Shape shape, std::string name) {
  return Allocated(dtype, std::move(shape), std::move(name),
                   expr::Scope::kGlobal);
}

Array Extern::Local(DType dtype, Shape shape, std::string name) {
  return Allocated(dtype, std::move(shape), std::move(name),
                   expr::Scope::kLocal);
}

Array Extern::Allocated(DType dtype, Shape shape, std::string name,
                        expr::Scope scope) {
  const expr::Buffer buffer =
      expr::MakeBuffer(std::move(name), dtype, std::move(shape), scope);
  blocks_.back().push_back({Stmt(), buffer});
  return Array(this, buffer);
}

Stmt Extern::Collected(const Block& block) {
  blocks_.emplace_back();
  block();
  const std::vector<Item> items = std::move(blocks_.back());
  blocks_.pop_back();
  std::vector<Stmt> after;  // in reverse order
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    if (item->stmt.defined()) {
      after.push_back(item->stmt);
      continue;
    }
    std::vector<Stmt> body(after.rbegin(), after.rend());
    after = {tir::Allocate::Make(item->allocated,
                                 tir::Block::Make(std::move(body)))};
  }
  return tir::Block::Make(std::vector<Stmt>(after.rbegin(), after.rend()));
}

void Extern::Loop(std::string var, Expr min, Expr extent, tir::ForKind kind,
                  const LoopBody& body) {
  const Expr loop = expr::Var::Make(std::move(var));
  Stmt stmt = Collected([&] { body(loop); });
  blocks_.back().push_back(
      {tir::For::Make(loop, std::move(min), std::move(extent), kind,
                      std::move(stmt)),
       {}});
}

void Extern::For(std::string var, Expr min, Expr extent, const LoopBody& body) {
  Loop(std::move(var), std::move(min), std::move(extent), tir::ForKind::kSerial,
       body);
}

void Extern::Parallel(std::string var, Expr extent, const LoopBody& body) {
  Loop(std::move(var), 0, std::move(extent), tir::ForKind::kParallel, body);
}

void Extern::Unrolled(std::string var, Expr extent, const LoopBody& body) {
  Loop(std::move(var), 0, std::move(extent), tir::ForKind::kUnrolled, body);
}

void Extern::Vectorized(std::string var, Expr extent, const LoopBody& body) {
  Loop(std::move(var), 0, std::move(extent), tir::ForKind::kVectorized, body);
}

void Extern::While(int64_t most, const std::function<Expr()>& condition,
                   const Block& body) {
  For("trip", 0, static_cast<int>(most),
      [&](const Expr&) { If(condition(), body); });
}

void Extern::If(Expr condition, const Block& then_block,
                const Block& else_block) {
  Stmt then_body = Collected(then_block);
  Stmt else_body = else_block != nullptr ? Collected(else_block) : Stmt();
  blocks_.back().push_back(
      {tir::IfThenElse::Make(std::move(condition), std::move(then_body),
                             std::move(else_body)),
       {}});
}

std::vector<Tensor> Extern::Build() {
  CHECK(!output_buffers_.empty()) << "extern `" << name_ << "` has no output";
  CHECK_EQ(blocks_.size(), 1u) << "unclosed blocks of extern `" << name_ << "`";
  const std::vector<Item> items = std::move(blocks_.back());
  auto body = std::make_shared<ExternBody>();
  body->stmt = Collected([&] { blocks_.back() = items; });
  for (const Tensor& input : inputs_) body->inputs.push_back(input);
  body->input_buffers = input_buffers_;
  body->output_buffers = output_buffers_;
  return MakeOutputs(name_, output_buffers_.size(), [&](int i, TensorOp& op) {
    op.op_kind = OpKind::kExtern;
    op.dtype = output_buffers_[i]->dtype;
    op.shape = output_buffers_[i]->shape;
    op.nest = body;
  });
}

}  // namespace assay::te
