#include "compiler/tir/interpreter.h"

#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/tir/interpreter_expr.h"
#include "compiler/tir/interpreter_memory.h"
#include "compiler/tir/verifier.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::tir {
namespace {

// A statement compiled for execution. Stops early if the frame has failed.
class Runner {
 public:
  virtual ~Runner() = default;
  virtual void Run(Frame& frame) const = 0;
};
using RunnerRef = std::unique_ptr<const Runner>;

// Fill pattern of new memory: NaN as a float, -1 as an index.
constexpr uint8_t kPoison = 0xff;

class StoreRunner : public Runner {
 public:
  StoreRunner(const Store& node, const Slots& slots)
      : address_(node.buffer, node.indices, slots),
        value_(CompileExpr(node.value, slots)),
        lanes_(node.value.dtype().lanes()) {}

  // Evaluates all lanes before the first is written.
  void Run(Frame& frame) const override {
    std::vector<std::pair<int64_t, Scalar>> writes(lanes_);
    for (int lane = 0; lane < lanes_; ++lane) {
      writes[lane] = {address_.Eval(frame, lane, "store"),
                      value_->Eval(frame, lane)};
      if (frame.failed()) return;
    }
    for (const auto& [element, value] : writes) {
      frame.Store(address_.buffer(), element, value);
    }
  }

 private:
  Address address_;
  EvaluatorRef value_;
  int lanes_;
};

class ForRunner : public Runner {
 public:
  ForRunner(const For& node, int slot, const Slots& slots, RunnerRef body)
      : slot_(slot),
        concurrent_(node.for_kind == ForKind::kParallel ||
                    node.for_kind == ForKind::kVectorized),
        min_(CompileExpr(node.min, slots)),
        extent_(CompileExpr(node.extent, slots)),
        body_(std::move(body)) {}

  void Run(Frame& frame) const override {
    const int64_t min = min_->Eval(frame, 0).i;
    const int64_t extent = extent_->Eval(frame, 0).i;
    if (concurrent_) return RunConcurrently(frame, min, extent);
    for (int64_t i = 0; i < extent && !frame.failed(); ++i) {
      frame.vars[slot_] = min + i;
      body_->Run(frame);
    }
  }

 private:
  void RunConcurrently(Frame& frame, int64_t min, int64_t extent) const {
    std::vector<int64_t> order(extent > 0 ? extent : 0);
    std::iota(order.begin(), order.end(), min);
    if (frame.seed != 0) {
      Rng rng(frame.seed);
      for (int64_t i = extent - 1; i > 0; --i) {
        std::swap(order[i], order[rng.UniformInt(0, i)]);
      }
      frame.seed = rng.NextU64() | 1;
    }
    frame.loops.push_back({frame.now + 1, 0});
    const size_t level = frame.loops.size() - 1;
    for (int64_t value : order) {
      if (frame.failed()) break;
      frame.loops[level].iteration = ++frame.now;
      frame.vars[slot_] = value;
      body_->Run(frame);
    }
    frame.loops.pop_back();
    // Everything written by the loop is older than anything written from here
    // on.
    ++frame.now;
  }

  int slot_;
  bool concurrent_;
  EvaluatorRef min_, extent_;
  RunnerRef body_;
};

class AllocateRunner : public Runner {
 public:
  AllocateRunner(int slot, RunnerRef body)
      : slot_(slot), body_(std::move(body)) {}

  void Run(Frame& frame) const override {
    BufferState& state = frame.buffers[slot_];
    state.storage.assign(state.elements * state.buffer->dtype.bytes(), kPoison);
    state.data = state.storage.data();
    state.written.assign(state.elements, 0);
    body_->Run(frame);
  }

 private:
  int slot_;
  RunnerRef body_;
};

class LetRunner : public Runner {
 public:
  LetRunner(int slot, EvaluatorRef value, RunnerRef body)
      : slot_(slot), value_(std::move(value)), body_(std::move(body)) {}

  void Run(Frame& frame) const override {
    frame.vars[slot_] = value_->Eval(frame, 0).i;
    if (!frame.failed()) body_->Run(frame);
  }

 private:
  int slot_;
  EvaluatorRef value_;
  RunnerRef body_;
};

class IfRunner : public Runner {
 public:
  IfRunner(EvaluatorRef condition, RunnerRef then_body, RunnerRef else_body)
      : condition_(std::move(condition)),
        then_body_(std::move(then_body)),
        else_body_(std::move(else_body)) {}

  void Run(Frame& frame) const override {
    const bool taken = condition_->Eval(frame, 0).i != 0;
    if (frame.failed()) return;
    if (taken) {
      then_body_->Run(frame);
    } else if (else_body_ != nullptr) {
      else_body_->Run(frame);
    }
  }

 private:
  EvaluatorRef condition_;
  RunnerRef then_body_, else_body_;
};

class BlockRunner : public Runner {
 public:
  explicit BlockRunner(std::vector<RunnerRef> runners)
      : runners_(std::move(runners)) {}

  void Run(Frame& frame) const override {
    for (const RunnerRef& runner : runners_) {
      if (frame.failed()) return;
      runner->Run(frame);
    }
  }

 private:
  std::vector<RunnerRef> runners_;
};

class Compiler {
 public:
  explicit Compiler(Frame* frame) : frame_(frame) {}

  int AddBuffer(const Buffer& buffer) {
    const int slot = static_cast<int>(frame_->buffers.size());
    slots_.buffers[buffer.get()] = slot;
    BufferState state;
    state.buffer = buffer;
    state.elements = NumElements(buffer->shape);
    frame_->buffers.push_back(std::move(state));
    return slot;
  }

  void AddParameter(const Buffer& buffer, void* data, bool written) {
    BufferState& state = frame_->buffers[AddBuffer(buffer)];
    state.data = static_cast<uint8_t*>(data);
    state.written.assign(state.elements, written ? frame_->now : 0);
  }

  RunnerRef Compile(const Stmt& s) {
    switch (s.kind()) {
      case StmtKind::kFor:
        return CompileFor(*s.As<For>());
      case StmtKind::kStore:
        return std::make_unique<StoreRunner>(*s.As<Store>(), slots_);
      case StmtKind::kAllocate: {
        const int slot = AddBuffer(s.As<Allocate>()->buffer);
        return std::make_unique<AllocateRunner>(
            slot, Compile(s.As<Allocate>()->body));
      }
      case StmtKind::kIfThenElse: {
        const auto* n = s.As<IfThenElse>();
        return std::make_unique<IfRunner>(
            CompileExpr(n->condition, slots_), Compile(n->then_body),
            n->else_body.defined() ? Compile(n->else_body) : nullptr);
      }
      case StmtKind::kBlock: {
        std::vector<RunnerRef> runners;
        for (const Stmt& child : s.As<Block>()->stmts) {
          runners.push_back(Compile(child));
        }
        return std::make_unique<BlockRunner>(std::move(runners));
      }
      case StmtKind::kPragma:
        return Compile(s.As<Pragma>()->body);
      case StmtKind::kPrefetch:
        return std::make_unique<BlockRunner>(std::vector<RunnerRef>());
      case StmtKind::kLet:
        return CompileLet(*s.As<Let>());
    }
    CHECK(false);
    return nullptr;
  }

 private:
  int AddVar(const Expr& var) {
    const int slot = static_cast<int>(frame_->vars.size());
    frame_->vars.push_back(0);
    slots_.vars[var.get()] = slot;
    return slot;
  }

  RunnerRef CompileLet(const Let& let) {
    EvaluatorRef value = CompileExpr(let.value, slots_);
    const int slot = AddVar(let.var);
    return std::make_unique<LetRunner>(slot, std::move(value),
                                       Compile(let.body));
  }

  RunnerRef CompileFor(const For& loop) {
    const int slot = AddVar(loop.var);
    RunnerRef body = Compile(loop.body);
    return std::make_unique<ForRunner>(loop, slot, slots_, std::move(body));
  }

  Frame* frame_;
  Slots slots_;
};

absl::Status CheckInputs(const Function& f,
                         const std::vector<NDArray>& inputs) {
  if (inputs.size() != f.inputs.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("function `", f.name, "` takes ", f.inputs.size(),
                     " inputs, not ", inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Buffer& b = f.inputs[i];
    if (inputs[i].dtype() != b->dtype || inputs[i].shape() != b->shape) {
      return absl::InvalidArgumentError(absl::StrCat(
          "input `%", b->name, "` of function `", f.name, "` is ",
          b->dtype.ToString(), ShapeToString(b->shape), ", not ",
          inputs[i].dtype().ToString(), ShapeToString(inputs[i].shape())));
    }
  }
  return absl::OkStatus();
}

// Fails at the first output element that was never written.
void CheckOutputs(Frame& frame, size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    const BufferState& state = frame.buffers[i];
    for (int64_t e = 0; e < state.elements; ++e) {
      if (state.written[e] != 0) continue;
      return frame.Fail(absl::StrCat("element ", e, " of output `%",
                                     state.buffer->name, "` is never written"));
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<NDArray>> Interpret(
    const Function& f, const std::vector<NDArray>& inputs,
    const InterpretOptions& options) {
  ASSAY_RETURN_IF_ERROR(Verify(f));
  ASSAY_RETURN_IF_ERROR(CheckInputs(f, inputs));
  Frame frame;
  frame.check_initialized = options.check_initialized;
  frame.seed = options.seed;
  Compiler compiler(&frame);
  for (size_t i = 0; i < inputs.size(); ++i) {
    // The verifier has checked that inputs are not stored to.
    compiler.AddParameter(f.inputs[i], const_cast<void*>(inputs[i].raw()),
                          /*written=*/true);
  }
  std::vector<NDArray> outputs;
  for (const Buffer& b : f.outputs) {
    NDArray& output = outputs.emplace_back(b->dtype, b->shape);
    if (output.num_bytes() > 0) {
      std::memset(output.raw(), kPoison, output.num_bytes());
    }
    compiler.AddParameter(b, output.raw(), /*written=*/false);
  }
  const RunnerRef program = compiler.Compile(f.body);
  program->Run(frame);
  if (!frame.failed() && options.check_initialized) {
    CheckOutputs(frame, inputs.size(), outputs.size());
  }
  if (frame.failed()) {
    return absl::InternalError(
        absl::StrCat("function `", f.name, "`: ", frame.error.message()));
  }
  return outputs;
}

}  // namespace assay::tir
