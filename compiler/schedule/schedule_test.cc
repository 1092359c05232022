#include "compiler/schedule/schedule.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::schedule {
namespace {

using expr::Expr;
using expr::Scope;
using te::Tensor;

// a, b -> c = a . b -> scaled = c * 2 -> relu
struct Program {
  Tensor a, b, c, scaled, relu;
};

Program MakeProgram(int64_t n = 32, int64_t k = 16, int64_t m = 24) {
  Program p;
  p.a = te::Placeholder({n, k}, DType::Float32(), "a");
  p.b = te::Placeholder({k, m}, DType::Float32(), "b");
  const te::ReduceAxis r = te::MakeReduceAxis(k, "r");
  p.c = te::Compute({n, m}, "c",
                    [&](const std::vector<Expr>& i) {
                      return te::Sum(p.a(i[0], r.var) * p.b(r.var, i[1]), {r});
                    },
                    "matmul", {"y", "x"});
  p.scaled = te::Compute({n, m}, "scaled",
                         [&](const std::vector<Expr>& i) { return p.c(i) * 2; },
                         "", {"y", "x"});
  p.relu = te::Compute(
      {n, m}, "relu",
      [&](const std::vector<Expr>& i) { return expr::Max(p.scaled(i), 0); }, "",
      {"y", "x"});
  return p;
}

// Formats the leaves as `y.o=8 y.i=4:vectorized`.
std::string Leaves(const Stage& stage) {
  std::vector<std::string> texts;
  for (const Leaf& leaf : stage.state().leaves) {
    std::string text = absl::StrCat(leaf.axis.name, "=", leaf.axis.extent);
    const char* kinds[] = {"", ":parallel", ":vectorized", ":unrolled"};
    absl::StrAppend(&text, kinds[static_cast<int>(leaf.kind)]);
    texts.push_back(text);
  }
  return absl::StrJoin(texts, " ");
}

std::string TextOf(const Expr& e) {
  std::ostringstream os;
  os << e;
  return os.str();
}

TEST(ScheduleTest, StageStartsWithDataAndReduceAxes) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  EXPECT_EQ(Leaves(s[p.c]), "y=32 x=24 r=16");
  EXPECT_EQ(Leaves(s[p.relu]), "y=32 x=24");
  EXPECT_TRUE(s[p.relu].state().is_output);
  EXPECT_EQ(s[p.c].reduce_axis(0).name, "r");
  std::vector<std::string> names;
  for (const Stage* stage : s.stages()) names.push_back(stage->name());
  EXPECT_EQ(names, (std::vector<std::string>{"c", "scaled", "relu"}));
  ASSERT_EQ(s.inputs().size(), 2u);
  EXPECT_TRUE(s.inputs()[1].same_as(p.b));
}

TEST(ScheduleTest, MakesNamesUniqueAndValid) {
  const Tensor x = te::Placeholder({4, 4}, DType::Float32(), "x");
  auto relu = [](const Tensor& t) {
    return te::Compute(
        {4, 4}, "block/relu",
        [&](const std::vector<Expr>& i) { return expr::Max(t(i), 0); }, "",
        {"i", "i"});
  };
  const Tensor first = relu(x), second = relu(first);
  Schedule s({second});
  EXPECT_EQ(s[first].name(), "block_relu");
  EXPECT_EQ(s[second].name(), "block_relu_1");
  EXPECT_EQ(Leaves(s[second]), "i=4 i_1=4");
  EXPECT_EQ(s.Find("block_relu_1"), &s[second]);
  EXPECT_EQ(s.Find("x"), nullptr);
}

TEST(ScheduleTest, PrintsAppliedSteps) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  Stage& relu = s[p.relu];
  const auto [y_o, x_o, y_i, x_i] = relu.Tile(relu.axis(0), relu.axis(1), 4, 8);
  const Axis f = relu.Fuse({y_o, x_o});
  relu.Parallel(f).Vectorize(x_i).Pragma(y_i, "auto_unroll_max_step", 8);
  s[p.scaled].ComputeInline();
  Stage& c = s[p.c];
  c.SetScope(Scope::kLocal).ComputeAt(relu, y_i);
  const auto [r_o, r_i] = c.Split(c.reduce_axis(0), 3);
  c.Reorder({r_o, c.axis(0), r_i, c.axis(1)}).Unroll(r_i);
  c.Vectorize(c.axis(1));
  ASSERT_TRUE(s.Validate().ok()) << s.Validate();
  EXPECT_EQ(s.ToString(),
            "relu.split(y, 4) -> y.o, y.i\n"
            "relu.split(x, 8) -> x.o, x.i\n"
            "relu.reorder(y.o, x.o, y.i, x.i)\n"
            "relu.fuse(y.o, x.o) -> y.o.x.o.f\n"
            "relu.parallel(y.o.x.o.f)\n"
            "relu.vectorize(x.i)\n"
            "relu.pragma(y.i, auto_unroll_max_step, 8)\n"
            "scaled.compute_inline()\n"
            "c.set_scope(local)\n"
            "c.compute_at(relu, y.i)\n"
            "c.split(r, 3) -> r.o, r.i\n"
            "c.reorder(r.o, y, r.i, x)\n"
            "c.unroll(r.i)\n"
            "c.vectorize(x)\n");
  EXPECT_EQ(Leaves(relu), "y.o.x.o.f=24:parallel y.i=4 x.i=8:vectorized");
  EXPECT_EQ(Leaves(c), "r.o=6 y=32 r.i=3:unrolled x=24:vectorized");
  EXPECT_EQ(TextOf(relu.state().bodies[0]), "max(c[y, x] * 2f, 0f)");
}

TEST(ScheduleTest, ReplayOfPrintedStepsGivesSameSchedule) {
  Program p = MakeProgram();
  Schedule s({p.c});
  const Tensor local = s.CacheWrite(p.c, Scope::kLocal);
  Stage& c = s[p.c];
  const auto [x_o, x_i] = c.Split(c.axis(1), 7, Tail::kShiftInwards);
  const Axis f = c.Fuse(c.axis(0), x_o);
  c.Bind(f, "blockIdx.x").Vectorize(x_i);
  s[local].ComputeAt(c, f);
  ASSERT_TRUE(s.status().ok()) << s.status();

  absl::StatusOr<std::vector<Step>> steps = ParseSteps(s.ToString());
  ASSERT_TRUE(steps.ok()) << steps.status();
  const Program q = MakeProgram();
  Schedule replayed({q.c});
  ASSERT_TRUE(replayed.Replay(*steps).ok());
  EXPECT_EQ(replayed.ToString(), s.ToString());
  for (const Stage* stage : s.stages()) {
    const Stage* twin = replayed.Find(stage->name());
    ASSERT_NE(twin, nullptr) << stage->name();
    EXPECT_EQ(Leaves(*twin), Leaves(*stage));
    EXPECT_EQ(TextOf(twin->state().bodies[0]),
              TextOf(stage->state().bodies[0]));
    EXPECT_EQ(twin->state().scope, stage->state().scope);
    EXPECT_EQ(twin->state().attach_axis, stage->state().attach_axis);
  }
}

TEST(ScheduleTest, CacheWriteTurnsStageIntoCopy) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  const Tensor local = s.CacheWrite(p.c, Scope::kLocal);
  EXPECT_EQ(s[local].name(), "c.local");
  EXPECT_EQ(local->tag, "matmul");
  EXPECT_EQ(TextOf(s[p.c].state().bodies[0]), "c.local[y, x]");
  EXPECT_EQ(TextOf(s[local].state().bodies[0]),
            "sum(a[y, r] * b[r, x], r < 16)");
  EXPECT_EQ(Leaves(s[p.c]), "y=32 x=24");
  EXPECT_EQ(Leaves(s[local]), "y=32 x=24 r=16");
  EXPECT_EQ(s[local].state().scope, Scope::kLocal);
  EXPECT_EQ(s.stages()[0], &s[local]);
}

TEST(ScheduleTest, CacheReadInsertsCopyBeforeReaders) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  const Tensor a_local = s.CacheRead(p.a, Scope::kLocal, {p.c});
  const Tensor c_copy = s.CacheRead(p.c, Scope::kGlobal, {p.scaled});
  ASSERT_TRUE(s.status().ok()) << s.status();
  EXPECT_EQ(s.ToString(),
            "a.cache_read(local, c) -> a.local\n"
            "c.cache_read(global, scaled) -> c.global\n");
  EXPECT_EQ(TextOf(s[a_local].state().bodies[0]), "a[i0, i1]");
  EXPECT_EQ(TextOf(s[p.c].state().bodies[0]),
            "sum(a.local[y, r] * b[r, x], r < 16)");
  EXPECT_EQ(TextOf(s[p.scaled].state().bodies[0]), "c.global[y, x] * 2f");
  std::vector<std::string> names;
  for (const Stage* stage : s.stages()) names.push_back(stage->name());
  EXPECT_EQ(names, (std::vector<std::string>{"a.local", "c", "c.global",
                                             "scaled", "relu"}));
  EXPECT_EQ(Leaves(s[c_copy]), "y=32 x=24");
}

TEST(ScheduleTest, SplitPartsSetsOuterExtent) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  Stage& relu = s[p.relu];
  relu.SplitParts(relu.axis(0), 5);
  relu.SplitParts(relu.axis(1), 20, Tail::kShiftInwards);
  EXPECT_EQ(Leaves(relu), "y.o=5 y.i=7 x.o=12 x.i=2");
}

TEST(ScheduleTest, RFactorMovesOtherReduceLeaves) {
  const Program p = MakeProgram();
  Schedule s({p.c});
  Stage& c = s[p.c];
  const auto [r_o, r_i] = c.Split(c.reduce_axis(0), 6);
  const Tensor rf = s.RFactor(p.c, r_o, 1);
  EXPECT_EQ(s[rf].name(), "c.rf");
  EXPECT_EQ(Leaves(s[rf]), "y=32 r.o=3 x=24 r.i=6");
  EXPECT_EQ(Leaves(c), "y=32 x=24 r.o=3");
  EXPECT_EQ(TextOf(c.state().bodies[0]), "sum(c.rf[y, r.o, x], r.o < 3)");
  EXPECT_EQ(TextOf(s[rf].state().bodies[0]),
            "sum(select(r.o * 6 + r.i < 16, a[y, r.o * 6 + r.i] * "
            "b[r.o * 6 + r.i, x], 0f), r.i < 6)");
  // The axis object stays valid.
  c.Reorder({r_o, c.axis(0), c.axis(1)});
  EXPECT_EQ(Leaves(c), "r.o=3 y=32 x=24");
  EXPECT_TRUE(s.status().ok()) << s.status();
}

TEST(ScheduleTest, KeepsFirstErrorAndIgnoresLaterCalls) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  Stage& relu = s[p.relu];
  relu.Unroll(relu.axis(0));
  const auto [outer, inner] = relu.Split(relu.axis(1), 0);
  const Axis fused = relu.Fuse(outer, inner);
  relu.Vectorize(fused);
  s.CacheWrite(p.c, Scope::kLocal);
  EXPECT_EQ(s.ToString(), "relu.unroll(y)\n");
  EXPECT_EQ(s.status().message(),
            "illegal `relu.split(x, 0)`: the factor must be positive");
  EXPECT_EQ(s.Validate(), s.status());
}

TEST(ScheduleTest, RejectsAxisOfAnotherStage) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  s[p.relu].Unroll(s[p.c].axis(0));
  EXPECT_EQ(s.status().message(),
            "axis `y` passed to stage `relu` belongs to another stage");
}

struct BadCase {
  const char* steps;  // all but the last one are legal
  const char* message;
};

class IllegalStepTest : public testing::TestWithParam<BadCase> {};

TEST_P(IllegalStepTest, ReportsReasonAndChangesNothing) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  absl::StatusOr<std::vector<Step>> steps = ParseSteps(GetParam().steps);
  ASSERT_TRUE(steps.ok()) << steps.status();
  const Step last = steps->back();
  steps->pop_back();
  ASSERT_TRUE(s.Replay(*steps).ok()) << s.Replay(*steps);
  std::string before = s.ToString();
  for (const Stage* stage : s.stages())
    absl::StrAppend(&before, Leaves(*stage));

  const absl::Status status = s.Apply(last);

  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  const std::string message(status.message());
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  EXPECT_NE(message.find(ToString(last)), std::string::npos) << message;
  std::string after = s.ToString();
  for (const Stage* stage : s.stages()) absl::StrAppend(&after, Leaves(*stage));
  EXPECT_EQ(after, before);
  EXPECT_TRUE(s.Validate().ok()) << s.Validate();
}

const BadCase kBadCases[] = {
    {"d.unroll(y)", "there is no stage `d`"},
    {"c.unroll(z)", "`z` is not an axis of the stage"},
    {"c.split(y, 0)", "the factor must be positive"},
    {"c.split(y, -4)", "the factor must be positive"},
    {"c.split(y, 4)\nc.split(y, 2)", "`y` was split or fused before"},
    {"c.split(y, 4) -> x, y.i", "the stage has an axis `x` already"},
    {"c.split(y, 4) -> z, z", "both results have the same name"},
    {"c.split(y, 5, shift_inwards)",
     "a reduction cannot compute elements twice"},
    {"relu.unroll(y)\nrelu.split(y, 2)", "`y` is unrolled already"},
    {"relu.pragma(y, k, 1)\nrelu.split(y, 2)",
     "is bound or has a pragma or prefetch"},
    {"c.fuse(x, y)", "`y` must be directly inside of `x`; reorder first"},
    {"c.fuse(x, r)", "a data axis and a reduce axis cannot be fused"},
    {"c.reorder(x, y, x)", "`x` is listed twice"},
    {"relu.vectorize(x)\nrelu.reorder(x, y)",
     "vectorized axis `x` must stay innermost"},
    {"relu.vectorize(y)", "`y` is not innermost"},
    {"c.vectorize(r)", "`r` is a reduce axis"},
    {"relu.vectorize(x)\nrelu.parallel(x)", "`x` is vectorized already"},
    {"c.parallel(r)", "`r` is a reduce axis"},
    {"relu.parallel(y)\nrelu.parallel(x)",
     "`y` of the stage is parallel already; fuse the two axes"},
    {"c.set_scope(local)\nc.compute_at(scaled, y)\nc.parallel(y)",
     "the stage is in local scope"},
    {"c.parallel(y)\nc.set_scope(local)", "axis `y` is parallel"},
    {"c.bind(r, threadIdx.x)", "`r` is a reduce axis"},
    {"relu.compute_at(c, y)", "an output is computed at the root"},
    {"relu.compute_inline()", "an output cannot be inlined"},
    {"relu.set_scope(local)", "an output is in global scope"},
    {"c.compute_inline()", "a reduction cannot be inlined"},
    {"c.compute_at(relu, y)", "`scaled` reads it outside of axis `y`"},
    {"c.compute_at(scaled, z)", "`z` is not a leaf axis of `scaled`"},
    {"c.compute_at(c, y)", "a stage cannot contain itself"},
    {"c.compute_at(a, y)", "there is no stage `a`"},
    {"scaled.compute_at(c, y)", "`relu` reads it outside of axis `y`"},
    {"scaled.compute_inline()\nscaled.unroll(y)", "was inlined before"},
    {"scaled.compute_inline()\nc.compute_at(scaled, y)",
     "there is no stage `scaled` any more"},
    {"scaled.compute_inline()\nscaled.compute_inline()", "was inlined before"},
    {"relu.vectorize(x)\nscaled.compute_at(relu, x)", "`x` is vectorized"},
    {"scaled.compute_at(relu, x)\nrelu.vectorize(x)",
     "`scaled` is computed at `x`"},
    {"scaled.compute_at(relu, y)\nrelu.split(y, 2)",
     "`scaled` is computed at `y`"},
    {"scaled.compute_at(relu, y)\nc.compute_at(relu, x)",
     "`scaled` reads it outside of axis `x`"},
    {"scaled.compute_at(relu, x)\nc.compute_at(relu, y)\nrelu.reorder(x, "
     "y)",
     "`scaled` reads it outside of axis `y`"},
    {"c.compute_at(scaled, x)\nscaled.compute_inline()",
     "`c` is computed inside of it"},
    {"c.unroll(r)\nc.cache_write(local)",
     "it must come before other primitives on the stage"},
    {"c.cache_write(local) -> relu", "`relu` is taken or not a valid name"},
    {"c.split_parts(y, 0)", "the number of parts must be positive"},
    {"d.cache_read(local, c)", "there is no stage or placeholder `d`"},
    {"a.cache_read(local)", "no readers are listed"},
    {"a.cache_read(local, d)", "there is no stage `d`"},
    {"a.cache_read(local, scaled)", "`scaled` does not read it"},
    {"a.cache_read(local, c, c)", "`c` is listed twice"},
    {"scaled.compute_inline()\nc.cache_read(local, scaled)",
     "there is no stage `scaled` any more"},
    {"c.compute_at(scaled, x)\nc.cache_read(local, scaled)",
     "`c.local` reads it outside of axis `x`"},
    {"a.cache_read(local, c) -> b", "`b` is taken or not a valid name"},
    {"relu.storage_align(y, 8, 0)", "the layout of an output is fixed"},
    {"c.storage_align(r, 8, 0)", "`r` is not a dimension of the tensor"},
    {"c.storage_align(x, 8, 0)", "`x` is the last dimension"},
    {"c.storage_align(y, 0, 0)", "the factor must be from 1 to"},
    {"c.storage_align(y, 8, 8)", "the offset must be less than the factor"},
    {"c.storage_align(y, 8, 0)\nc.storage_align(y, 16, 0)",
     "`y` is aligned already"},
    {"c.double_buffer()", "is for a stage with compute_at"},
    {"c.compute_at(scaled, y)\nscaled.unroll(y)\nc.double_buffer()",
     "axis `y` of `scaled` where it is computed is not a serial loop"},
    {"c.compute_at(scaled, y)\nc.double_buffer()\nc.double_buffer()",
     "the stage has a double buffer already"},
    {"scaled.compute_at(relu, y)\nc.compute_at(relu, y)\n"
     "scaled.double_buffer()",
     "`c`, which it reads, is computed inside of axis `y` of `relu`"},
    {"relu.transform_layout(y, x)", "the layout of an output is fixed"},
    {"c.transform_layout(x)", "`y` must occur once"},
    {"c.transform_layout(x, y, y)", "`y` must occur once"},
    {"c.transform_layout(x, y/4, y%8)", "`y` must occur once"},
    {"c.transform_layout(x, y/4)", "`y` must occur once"},
    {"c.transform_layout(y, x)\nc.storage_align(y, 8, 0)",
     "the layout was transformed before"},
    {"relu.bind(y, warp)", "`warp` is not a thread tag, use `vthread`"},
    {"relu.bind(y, threadIdx.w)", "`threadIdx.w` is not a thread tag"},
    {"relu.env_threads()", "no threads are listed"},
    {"relu.env_threads(vthread)", "`vthread` is not a thread tag"},
    {"relu.env_threads(blockIdx.x, blockIdx.x)",
     "`blockIdx.x` is listed twice"},
    {"relu.env_threads(blockIdx.x)\nrelu.env_threads(blockIdx.y)",
     "the stage has threads already"},
    {"relu.store_predicate(y, 0)", "`y` is not a thread tag"},
    {"relu.store_predicate(threadIdx.x, 0)\n"
     "relu.store_predicate(threadIdx.x, 1)",
     "`threadIdx.x` is predicated already"},
    {"c.prefetch(d, r, 1)", "there is no stage or placeholder `d`"},
    {"c.prefetch(a, r, -1)", "the offset must not be negative"},
    {"scaled.prefetch(a, y, 1)", "nothing reads `a` inside of axis `y`"},
    {"c.compute_at(scaled, y)\nscaled.prefetch(c, y, 1)",
     "`c` is computed inside of axis `y`, so it cannot be prefetched "
     "there"},
    {"relu.vectorize(x)\nrelu.prefetch(scaled, x, 1)", "`x` is vectorized"},
    {"scaled.compute_inline()\nrelu.prefetch(scaled, x, 1)",
     "`scaled` was inlined"},
    {"c.rfactor(y, 0)", "`y` is not a reduce axis"},
    {"c.rfactor(r, 3)", "there is no position 3 among 2 dimensions"},
    {"c.rfactor(r, 0) -> relu", "`relu` is taken or not a valid name"},
    {"c.split(r, 4)\nc.unroll(r.i)\nc.rfactor(r.o, 0)",
     "`r.i` is unrolled already"},
};

INSTANTIATE_TEST_SUITE_P(All, IllegalStepTest, testing::ValuesIn(kBadCases));

TEST(ScheduleTest, ComputeAtFollowsAttachedReaders) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  ASSERT_TRUE(s.Replay(*ParseSteps("scaled.compute_at(relu, x)\n"
                                   "c.compute_at(relu, y)\n"))
                  .ok());
  EXPECT_TRUE(s.Validate().ok()) << s.Validate();
}

// Errors that only the complete schedule shows.
TEST(ScheduleTest, ValidateRejectsLocalMemoryAtRoot) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  s[p.c].SetScope(Scope::kLocal);
  EXPECT_TRUE(s.status().ok());
  EXPECT_EQ(s.Validate().message(),
            "stage `c`: is in local scope, which only a stage with compute_at "
            "can be");
}

TEST(ScheduleTest, ValidateRejectsLocalMemorySharedByThreads) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  ASSERT_TRUE(s.Replay(*ParseSteps("scaled.compute_inline()\n"
                                   "c.set_scope(local)\n"
                                   "c.compute_at(relu, y)\n"
                                   "relu.parallel(x)\n"))
                  .ok());
  EXPECT_EQ(s.Validate().message(),
            "stage `c`: is in local scope, but axis `x` of `relu` inside of "
            "its lifetime is parallel");
}

TEST(ScheduleTest, ValidateRejectsNestedParallelLoops) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  ASSERT_TRUE(s.Replay(*ParseSteps("scaled.compute_at(relu, y)\n"
                                   "scaled.parallel(x)\n"
                                   "relu.parallel(y)\n"))
                  .ok());
  EXPECT_EQ(s.Validate().message(),
            "stage `scaled`: parallel axis `x` is inside of parallel axis `y` "
            "of `relu`");
}

TEST(ScheduleTest, ValidateRejectsBuffersThatLostTheirLoop) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  ASSERT_TRUE(s.Replay(*ParseSteps("scaled.compute_at(relu, y)\n"
                                   "scaled.double_buffer()\n"
                                   "scaled.compute_inline()\n"))
                  .ok());
  EXPECT_EQ(s.Validate().message(),
            "stage `scaled`: a double buffer is for a stage with "
            "compute_at");
}

TEST(ScheduleTest, AllowsParallelStagesInSequence) {
  const Program p = MakeProgram();
  Schedule s({p.relu});
  ASSERT_TRUE(s.Replay(*ParseSteps("c.parallel(y)\n"
                                   "scaled.set_scope(local)\n"
                                   "scaled.compute_at(relu, y)\n"
                                   "relu.parallel(y)\n"))
                  .ok());
  EXPECT_TRUE(s.Validate().ok()) << s.Validate();
}

TEST(ScheduleDeathTest, RejectsForeignTensors) {
  const Program p = MakeProgram(), q = MakeProgram();
  Schedule s({p.relu});
  EXPECT_DEATH(s[q.c], "`c` is not a stage of this schedule");
  EXPECT_DEATH(s[p.a], "`a` is not a stage of this schedule");
  EXPECT_DEATH(s[p.c].axis(2), "axis 2 of stage `c`");
  EXPECT_DEATH(Schedule({p.a}), "output `a` is a placeholder");
}

}  // namespace
}  // namespace assay::schedule
