#include "runtime/artifact/validate.h"

#include <functional>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::runtime {
namespace {

// x -> k0 -> t0 -> k1 -> t1 -> k2 -> y, and y2 from y.
Artifact Example() {
  Artifact a;
  const Shape shape = {16};  // 64 bytes
  a.tensors = {
      {"x", DType::Float32(), shape, Location::kInput, 0},
      {"w", DType::Float32(), shape, Location::kParam, 0},
      {"t0", DType::Float32(), shape, Location::kArena, 0},
      {"t1", DType::Float32(), shape, Location::kArena, 64},
      {"y", DType::Float32(), shape, Location::kOutput, 0},
      {"y2", DType::Float32(), shape, Location::kOutput, 1},
  };
  a.arena_bytes = 128;
  a.calls = {{"k0", {0, 1}, {2}, {}, "a", 0, 0, ""},
             {"k1", {2}, {3}, {}, "b", 0, 0, ""},
             {"k2", {3, 0}, {4}, {}, "c", 0, 0, ""},
             {"k3", {4}, {5}, {}, "d", 0, 0, ""}};
  a.params = std::string(64, 'p');
  a.code_kind = "elf";
  a.code = "code";
  return a;
}

// Before the calls of Example(), e0 computes s0 from w, and e1 computes s1 from
// both. k1 reads s0, and k2 reads a part of s1.
Artifact WithSetup() {
  Artifact a = Example();
  const Shape shape = {16};
  a.tensors.push_back({"s0", DType::Float32(), shape, Location::kSetup, 0});
  a.tensors.push_back({"s1", DType::Float32(), {32}, Location::kSetup, 64});
  a.tensors.push_back({"part", DType::Float32(), {16}, Location::kSetup, 128});
  a.setup_bytes = 192;
  a.setup = {{"e0", {1}, {6}, {}, "e", 0, 0, ""},
             {"e1", {1, 6}, {7}, {}, "e", 0, 0, ""}};
  a.calls[1].inputs = {2, 6};
  a.calls[2].inputs = {3, 8};
  return a;
}

struct Case {
  std::function<void(Artifact&)> damage;
  const char* message;  // null if the plan is still valid

  void Check(Artifact a) const {
    damage(a);
    const absl::Status status = Validate(a);
    if (message == nullptr) {
      EXPECT_EQ(status, absl::OkStatus());
    } else {
      EXPECT_EQ(status, absl::InvalidArgumentError(message));
    }
  }
};

TEST(ValidateTest, AcceptsValidPlans) {
  EXPECT_EQ(Validate(Example()), absl::OkStatus());
  EXPECT_EQ(Validate(WithSetup()), absl::OkStatus());
  EXPECT_EQ(Validate(Artifact()), absl::OkStatus());
}

TEST(ValidateTest, ErrorsNameTensorOrCall) {
  const Case cases[] = {
      {[](Artifact& a) { a.arena_bytes = -1; },
       "the arena cannot have -1 bytes"},
      {[](Artifact& a) { a.tensors[2].position = 128; },
       "tensor `t0` has 64 bytes at offset 128, outside the arena of 128 "
       "bytes"},
      {[](Artifact& a) { a.tensors[2].position = -64; },
       "tensor `t0` has 64 bytes at offset -64, outside the arena of 128 "
       "bytes"},
      {[](Artifact& a) { a.tensors[2].position = INT64_MAX; },
       "tensor `t0` has 64 bytes at offset 9223372036854775807, outside the "
       "arena of 128 bytes"},
      {[](Artifact& a) { a.tensors[2].shape = {17, 1000}; },
       "tensor `t0` has 68000 bytes at offset 0, outside the arena of 128 "
       "bytes"},
      {[](Artifact& a) { a.tensors[1].position = 4; },
       "tensor `w` has 64 bytes at offset 4, outside the parameters of 64 "
       "bytes"},
      {[](Artifact& a) {
         a.params.resize(128);
         a.tensors[1].position = 4;
       },
       "tensor `w` is at the unaligned offset 4 of the parameters"},
      {[](Artifact& a) { a.tensors[0].shape = {-1}; },
       "tensor `x` shape [-1] has a negative extent"},
      {[](Artifact& a) { a.tensors[0].dtype = DType::Float32().WithLanes(4); },
       "tensor `x` has the vector type float32x4"},
      {[](Artifact& a) { a.tensors[5].position = 2; },
       "the 2 model outputs are not numbered 0 to 1"},
      {[](Artifact& a) { a.tensors[5].position = 0; },
       "tensor `y2` is a second model output number 0"},
      {[](Artifact& a) { a.tensors[5].name = "y"; },
       "tensor `y` does not have a unique name as a model output"},
      {[](Artifact& a) { a.calls[1].symbol = ""; },
       "a call has no kernel name"},
      {[](Artifact& a) { a.calls[1].inputs = {6}; },
       "call of kernel `k1` refers to tensor number 6 of 6"},
      {[](Artifact& a) { a.calls[1].outputs = {-1}; },
       "call of kernel `k1` refers to tensor number -1 of 6"},
      {[](Artifact& a) { a.calls[1].outputs = {1}; },
       "call of kernel `k1` writes the read-only tensor `w`"},
      {[](Artifact& a) { a.calls[1].outputs = {0}; },
       "call of kernel `k1` writes the read-only tensor `x`"},
      {[](Artifact& a) { a.tensors[3].position = 0; },
       "call of kernel `k1` writes `t1` over its argument `t0`"},
      {[](Artifact& a) { a.calls[1].flops = -1; },
       "call of kernel `k1` has a negative number of operations or bytes"},
      {[](Artifact& a) { a.code = ""; }, "there are calls but no code"},
      {[](Artifact& a) { a.code_kind = ""; }, "the code has no kind"},
      {[](Artifact& a) { std::swap(a.calls[0], a.calls[1]); },
       "call of kernel `k1` reads `t0` before it is written or after it is "
       "overwritten"},
      {[](Artifact& a) { std::swap(a.calls[2], a.calls[3]); },
       "call of kernel `k3` reads `y` before it is written or after it is "
       "overwritten"},
      {[](Artifact& a) { a.calls.pop_back(); },
       "tensor `y2` is a model output that no call writes"},
      // An output without elements is not written.
      {[](Artifact& a) {
         a.calls.pop_back();
         a.tensors[5].shape = {4, 0};
       },
       nullptr},
      {[](Artifact& a) { a.calls[2].inputs = {3, 2}; }, nullptr},
      // kx overwrites the second half of t0, which k1 reads afterwards.
      {[](Artifact& a) {
         a.arena_bytes = 256;
         a.tensors[2].shape = {32};
         a.tensors.push_back(
             {"late", DType::Float32(), {16}, Location::kArena, 64});
         a.tensors[3].position = 128;
         a.calls[2].inputs = {3, 2};
         a.calls.insert(a.calls.begin() + 1,
                        KernelCall{"kx", {0}, {6}, {}, "x", 0, 0, ""});
       },
       "call of kernel `k1` reads `t0` before it is written or after it is "
       "overwritten"},
  };
  for (const Case& c : cases) c.Check(Example());
}

TEST(ValidateTest, ErrorsOfSetupCallsNameTensorOrCall) {
  const Case cases[] = {
      {[](Artifact& a) { a.setup_bytes = -1; },
       "the setup memory cannot have -1 bytes"},
      {[](Artifact& a) { a.setup_bytes = INT64_MAX; },
       "the setup memory cannot have 9223372036854775807 bytes"},
      {[](Artifact& a) { a.setup_bytes = 191; },
       "tensor `s1` has 128 bytes at offset 64, outside the setup memory of "
       "191 bytes"},
      {[](Artifact& a) { a.tensors[6].position = -64; },
       "tensor `s0` has 64 bytes at offset -64, outside the setup memory of "
       "192 bytes"},
      {[](Artifact& a) { a.tensors[6].position = INT64_MAX - 63; },
       "tensor `s0` has 64 bytes at offset 9223372036854775744, outside the "
       "setup memory of 192 bytes"},
      {[](Artifact& a) { a.tensors[6].shape = {int64_t{1} << 40}; },
       "tensor `s0` has 4398046511104 bytes at offset 0, outside the setup "
       "memory of 192 bytes"},
      {[](Artifact& a) { a.tensors[8].position = 100; },
       "tensor `part` is at the unaligned offset 100 of the setup memory"},
      {[](Artifact& a) { a.tensors[8].shape = {4, 0}; },
       "tensor `part` is in the setup memory, but is empty"},
      {[](Artifact& a) { a.setup[0].symbol = ""; },
       "a call has no kernel name"},
      {[](Artifact& a) { a.setup[0].bytes = -1; },
       "call of kernel `e0` has a negative number of operations or bytes"},
      {[](Artifact& a) { a.setup[1].inputs = {9}; },
       "call of kernel `e1` refers to tensor number 9 of 9"},
      {[](Artifact& a) { a.setup[1].outputs = {-1}; },
       "call of kernel `e1` refers to tensor number -1 of 9"},
      {[](Artifact& a) { a.setup[0].inputs = {0}; },
       "call of kernel `e0` is a setup call and reads `x`, which has no value "
       "when the artifact is loaded"},
      {[](Artifact& a) { a.setup[0].inputs = {2}; },
       "call of kernel `e0` is a setup call and reads `t0`, which has no value "
       "when the artifact is loaded"},
      {[](Artifact& a) { a.setup[0].inputs = {4}; },
       "call of kernel `e0` is a setup call and reads `y`, which has no value "
       "when the artifact is loaded"},
      {[](Artifact& a) { a.setup[0].outputs = {0}; },
       "call of kernel `e0` is a setup call and writes `x`, which is not in "
       "the setup memory"},
      {[](Artifact& a) { a.setup[1].outputs = {1}; },
       "call of kernel `e1` is a setup call and writes `w`, which is not in "
       "the setup memory"},
      {[](Artifact& a) { a.setup[0].outputs = {2}; },
       "call of kernel `e0` is a setup call and writes `t0`, which is not in "
       "the setup memory"},
      {[](Artifact& a) { a.setup[0].outputs = {5}; },
       "call of kernel `e0` is a setup call and writes `y2`, which is not in "
       "the setup memory"},
      {[](Artifact& a) { a.calls[1].outputs = {7}; },
       "call of kernel `k1` writes the read-only tensor `s1`"},
      {[](Artifact& a) { a.setup[0].inputs = {6}; },
       "call of kernel `e0` writes `s0` over its argument `s0`"},
      {[](Artifact& a) { a.setup[1].outputs = {7, 8}; },
       "call of kernel `e1` writes `part` over its argument `s1`"},
      {[](Artifact& a) { std::swap(a.setup[0], a.setup[1]); },
       "call of kernel `e1` reads `s0`, which is not within one result of an "
       "earlier setup call"},
      {[](Artifact& a) { a.setup[1].outputs = {}; },
       "call of kernel `k2` reads `part`, which is not within one result of a "
       "setup call"},
      {[](Artifact& a) {
         a.tensors[8] = {"both", DType::Float32(), {32}, Location::kSetup, 0};
       },
       "call of kernel `k2` reads `both`, which is not within one result of a "
       "setup call"},
      {[](Artifact& a) {
         a.setup.push_back({"e2", {1}, {8}, {}, "e", 0, 0, ""});
       },
       "call of kernel `e2` writes `part` over the result of another setup "
       "call"},
      {[](Artifact& a) {
         a.setup.push_back({"e2", {1}, {6}, {}, "e", 0, 0, ""});
       },
       "call of kernel `e2` writes `s0` over the result of another setup "
       "call"},
      {[](Artifact& a) {
         a.tensors.push_back(
             {"all", DType::Float32(), {48}, Location::kSetup, 0});
         a.setup.push_back({"e2", {1}, {9}, {}, "e", 0, 0, ""});
       },
       "call of kernel `e2` writes `all` over the result of another setup "
       "call"},
      {[](Artifact& a) {
         a.calls.clear();
         a.tensors[4].shape = a.tensors[5].shape = {0};
         a.code = "";
       },
       "there are calls but no code"},
      // A result that nobody reads is allowed.
      {[](Artifact& a) { a.calls[2].inputs = {3}; }, nullptr},
  };
  for (const Case& c : cases) c.Check(WithSetup());
}

TEST(ValidateTest, ChecksDynamicDimensionsOfOutputs) {
  Artifact a = Example();
  a.tensors[3].dtype = DType::Int64();
  a.tensors[3].shape = {1};
  a.tensors[4].axis = 0;
  a.tensors[4].extent = 3;
  EXPECT_EQ(Validate(a), absl::OkStatus());
  const auto message = [&](const std::function<void(Artifact&)>& damage) {
    Artifact damaged = a;
    damage(damaged);
    return std::string(Validate(damaged).message());
  };
  EXPECT_EQ(message([](Artifact& b) { b.tensors[4].axis = 1; }),
            "tensor `y` has a dynamic dimension 1 with its extent in tensor "
            "number 3; only an axis of a model output can be dynamic");
  EXPECT_EQ(message([](Artifact& b) { b.tensors[4].extent = 6; }),
            "tensor `y` has a dynamic dimension 0 with its extent in tensor "
            "number 6; only an axis of a model output can be dynamic");
  EXPECT_EQ(message([](Artifact& b) { b.tensors[4].extent = 2; }),
            "tensor `y` has its extent in `t0`, which is not a single int64");
  EXPECT_EQ(
      message([](Artifact& b) {
        b.tensors.push_back({"t2", DType::Int64(), {}, Location::kArena, 128});
        b.arena_bytes = 192;
        b.tensors[4].extent = 6;
      }),
      "tensor `y` has its extent in `t2`, which has no value after the run");
  EXPECT_EQ(
      message([](Artifact& b) {
        b.tensors.push_back({"s", DType::Int64(), {}, Location::kSetup, 0});
        b.setup_bytes = 64;
        b.tensors[4].extent = 6;
      }),
      "tensor `y` has its extent in `s`, which has no value after the run");
}

TEST(ValidateTest, AcceptsTensorsWrittenInPartsAndReadThroughViews) {
  Artifact a = Example();
  a.tensors.push_back({"whole", DType::Float32(), {32}, Location::kArena, 0});
  a.tensors.push_back({"view", DType::Float32(), {4, 8}, Location::kArena, 0});
  a.calls[2].inputs = {6, 7};  // both cover the adjacent t0 and t1
  EXPECT_EQ(Validate(a), absl::OkStatus());
}

// Validate() never crashes, and accepted plans stay within their memory.
TEST(ValidateTest, AcceptedRandomPlansStayInBounds) {
  Rng rng(99);
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Artifact a = WithSetup();
    const int changes = static_cast<int>(rng.UniformInt(1, 2));
    for (int i = 0; i < changes; ++i) {
      TensorInfo& t = a.tensors[rng.UniformInt(0, 8)];
      switch (rng.UniformInt(0, 6)) {
        case 0:
          t.position = rng.UniformInt(-2, 4) * 64;
          break;
        case 1:
          t.location = static_cast<Location>(rng.UniformInt(0, 4));
          break;
        case 2:
          t.shape = {rng.UniformInt(0, 3) * 16, rng.UniformInt(0, 2)};
          break;
        case 3:
          a.calls[rng.UniformInt(0, 3)].inputs = {
              static_cast<int32_t>(rng.UniformInt(-1, 9))};
          break;
        case 4:
          a.calls[rng.UniformInt(0, 3)].outputs = {
              static_cast<int32_t>(rng.UniformInt(-1, 9))};
          break;
        case 5:
          a.setup[rng.UniformInt(0, 1)].inputs = {
              static_cast<int32_t>(rng.UniformInt(-1, 9))};
          break;
        case 6:
          a.setup[rng.UniformInt(0, 1)].outputs = {
              static_cast<int32_t>(rng.UniformInt(-1, 9))};
          break;
      }
    }
    if (!Validate(a).ok()) continue;
    ++accepted;
    for (const TensorInfo& t : a.tensors) {
      ASSERT_GE(t.position, 0);
      if (t.location == Location::kArena) {
        ASSERT_LE(t.position + NumBytes(t), a.arena_bytes);
      }
      if (t.location == Location::kParam) {
        ASSERT_LE(t.position + NumBytes(t),
                  static_cast<int64_t>(a.params.size()));
      }
      if (t.location == Location::kSetup) {
        ASSERT_LE(t.position + NumBytes(t), a.setup_bytes);
      }
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace assay::runtime
