#include "compiler/tir/interpreter.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/tir/parser.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"

namespace assay::tir {
namespace {

Function Parse(absl::string_view text) {
  auto f = ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status() << "\n" << text;
  return f.ok() ? *std::move(f) : Function();
}

std::string ErrorOf(absl::string_view text,
                    const std::vector<NDArray>& inputs = {},
                    const InterpretOptions& options = {}) {
  return std::string(
      Interpret(Parse(text), inputs, options).status().message());
}

template <typename T>
std::vector<T> OutputOf(absl::string_view text,
                        const std::vector<NDArray>& inputs = {},
                        const InterpretOptions& options = {}) {
  auto outputs = Interpret(Parse(text), inputs, options);
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  if (!outputs.ok()) return {};
  const auto data = (*outputs)[0].data<T>();
  return std::vector<T>(data.begin(), data.end());
}

TEST(InterpreterTest, MultipliesMatrices) {
  const NDArray a = NDArray::FromVector<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const NDArray b = NDArray::FromVector<float>({3, 2}, {1, 0, 0, 1, 2, 2});
  EXPECT_EQ(OutputOf<float>(R"(
func matmul(in %a: float32[2,3], in %b: float32[3,2], out %c: float32[2,2]) {
  parallel i in [0, 2) {
    alloc %acc: local float32[2]
    for j in [0, 2) {
      %acc[j] = 0f
    }
    for k in [0, 3) {
      unrolled j in [0, 2) {
        %acc[j] = %acc[j] + %a[i, k] * %b[k, j]
      }
    }
    vectorized j in [0, 2) {
      %c[i, j] = %acc[j]
    }
  }
})",
                            {a, b}),
            (std::vector<float>{7, 8, 16, 17}));
}

TEST(InterpreterTest, EvaluatesLetOnce) {
  EXPECT_EQ(OutputOf<int32_t>(R"(
func f(out %b: int32[4]) {
  for i in [0, 2) {
    let j = i * 2
    let k = j + 1
    %b[j] = k
    %b[k] = j
  }
})"),
            (std::vector<int32_t>{1, 0, 3, 2}));
}

TEST(InterpreterTest, ExecutesVectorStatements) {
  const NDArray a = NDArray::FromVector<float>({8}, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(OutputOf<float>(R"(
func f(in %a: float32[8], out %b: float32[8]) {
  %b[ramp(7, -2, 4)] = %a[ramp(0, 1, 4)] * broadcast(%a[2], 4)
  %b[ramp(0, 2, 4)] = select(ramp(0, 1, 4) < broadcast(2, 4), %a[ramp(6, 1, 4)], broadcast(-1f, 4))
})",
                            {a}),
            (std::vector<float>{6, 6, 7, 4, -1, 2, -1, 0}));
}

TEST(InterpreterTest, ReadsAllLanesBeforeWriting) {
  EXPECT_EQ(OutputOf<int32_t>(R"(
func f(out %b: int32[4]) {
  for i in [0, 4) {
    %b[i] = i
  }
  %b[ramp(0, 1, 4)] = %b[ramp(3, -1, 4)]
})"),
            (std::vector<int32_t>{3, 2, 1, 0}));
}

TEST(InterpreterTest, ExecutesBranchesAndLoopBounds) {
  EXPECT_EQ(OutputOf<int32_t>(R"(
func f(out %b: int32[6]) {
  for i in [0, 3) {
    for j in [i, +2) {
      if j % 2 == 0 {
        %b[i * 2 + j - i] = j
      } else {
        pragma auto_unroll_max_step 4 {
          %b[i * 2 + j - i] = j * 10
        }
      }
    }
  }
})"),
            (std::vector<int32_t>{0, 10, 10, 2, 2, 30}));
}

TEST(InterpreterTest, ArithmeticFollowsType) {
  EXPECT_EQ(OutputOf<int32_t>(R"(
func f(out %b: int32[8]) {
  %b[0] = -7 / 2
  %b[1] = -7 % 2
  %b[2] = cast(int32, cast(int8, 200))
  %b[3] = cast(int32, -2.7f)
  %b[4] = shift_right(-8, 1)
  %b[5] = cast(int32, shift_right(248u8, 1u8))
  %b[6] = reinterpret(int32, 1f)
  %b[7] = cast(int32, 200u8 + 100u8)
})"),
            (std::vector<int32_t>{-4, 1, -56, -2, -4, 124, 0x3f800000, 44}));
  const std::vector<float> floats = OutputOf<float>(R"(
func f(out %b: float32[8]) {
  %b[0] = 0.1f + 0.2f
  %b[1] = round(2.5f)
  %b[2] = exp(1f)
  %b[3] = max(nanf, 1f)
  %b[4] = max(1f, nanf)
  %b[5] = fma(3f, 5f, 0.5f)
  %b[6] = cast(float32, 1f16 + 0.0001f16)
  %b[7] = sigmoid(0f) + tanh(0f) + log(1f) + sqrt(4f) + floor(-0.5f) + ceil(0.5f) + abs(-3f)
})");
  EXPECT_EQ(floats[0], 0.1f + 0.2f);
  EXPECT_EQ(floats[1], 2);
  EXPECT_EQ(floats[2], std::exp(1.0f));
  EXPECT_TRUE(std::isnan(floats[3]));
  EXPECT_EQ(floats[4], 1);
  EXPECT_EQ(floats[5], 15.5f);
  EXPECT_EQ(floats[6], 1);
  EXPECT_EQ(floats[7], 5.5f);
}

// The tile product of a sum and two factors of `elements` numbers, which are
// packed in int32 values.
std::string TileProduct(absl::string_view intrinsic, absl::string_view sum,
                        absl::string_view a, absl::string_view b,
                        int elements) {
  const auto factor = [&](absl::string_view name) {
    return absl::StrCat("reinterpret(int32x256, %", name, "[ramp(0, 1, ",
                        elements, ")])");
  };
  return absl::StrCat("func f(in %c: ", sum, "[256], in %a: ", a, "[", elements,
                      "], in %b: ", b, "[", elements, "], out %d: ", sum,
                      "[256]) {\n", "  %d[ramp(0, 1, 256)] = ", intrinsic,
                      "(%c[ramp(0, 1, 256)], ", factor("a"), ", ", factor("b"),
                      ")\n}");
}

// Row i of a consists of 16 groups of 4 numbers, and so does column j of b.
TEST(InterpreterTest, MultipliesTilesOfBytes) {
  NDArray c(DType::Int32(), {256}), a(DType::UInt(8), {1024});
  NDArray b(DType::Int(8), {1024});
  for (int i = 0; i < 256; ++i) c.data<int32_t>()[i] = 1000 * i - 7;
  for (int i = 0; i < 1024; ++i) {
    a.data<uint8_t>()[i] = static_cast<uint8_t>(i * 37 + i / 64);
    b.data<int8_t>()[i] = static_cast<int8_t>(i * 91 - i / 16);
  }
  std::vector<int32_t> expected;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      int32_t sum = c.data<int32_t>()[i * 16 + j];
      for (int k = 0; k < 64; ++k) {
        sum += a.data<uint8_t>()[i * 64 + k] *
               b.data<int8_t>()[k / 4 * 64 + j * 4 + k % 4];
      }
      expected.push_back(sum);
    }
  }
  EXPECT_EQ(OutputOf<int32_t>(
                TileProduct("tile_dot4_u8s8", "int32", "uint8", "int8", 1024),
                {c, a, b}),
            expected);
}

TEST(InterpreterTest, MultipliesTilesOfBFloat16) {
  NDArray c(DType::Float32(), {256}), a(DType::BFloat16(), {512});
  NDArray b(DType::BFloat16(), {512});
  // Small integers, so that all sums are exact.
  for (int i = 0; i < 256; ++i) StoreFloat(c, i, i - 100);
  for (int i = 0; i < 512; ++i) {
    StoreFloat(a, i, i * 5 % 23 - 11);
    StoreFloat(b, i, i * 7 % 31 - 15);
  }
  std::vector<float> expected;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      double sum = LoadFloat(c, i * 16 + j);
      for (int k = 0; k < 32; ++k) {
        sum +=
            LoadFloat(a, i * 32 + k) * LoadFloat(b, k / 2 * 32 + j * 2 + k % 2);
      }
      expected.push_back(static_cast<float>(sum));
    }
  }
  EXPECT_EQ(OutputOf<float>(TileProduct("tile_dot2_bf16", "float32", "bfloat16",
                                        "bfloat16", 512),
                            {c, a, b}),
            expected);
}

TEST(InterpreterTest, SelectDoesNotLoadInArmNotTaken) {
  const NDArray a = NDArray::FromVector<float>({2}, {5, 6});
  EXPECT_EQ(OutputOf<float>(R"(
func pad(in %a: float32[2], out %b: float32[4]) {
  for i in [0, 4) {
    %b[i] = select(1 <= i && i < 3, %a[i - 1], 0f)
  }
})",
                            {a}),
            (std::vector<float>{0, 5, 6, 0}));
}

TEST(InterpreterTest, ReportsOutOfBoundsAccesses) {
  EXPECT_EQ(ErrorOf(R"(
func f(out %b: int32[2,2]) {
  for i in [0, 3) {
    %b[0, i] = i
  }
})"),
            "function `f`: store of `%b` at [0, 2] outside [2,2]");
  EXPECT_EQ(ErrorOf(R"(
func f(out %b: int32[2,2]) {
  %b[ramp(1, 1, 4)] = broadcast(0, 4)
})"),
            "function `f`: store of `%b` at [4] outside [4]");
  EXPECT_EQ(ErrorOf(R"(
func f(in %a: int32[2], out %b: int32[2]) {
  %b[0] = %a[%a[0] - 5]
})",
                    {NDArray::FromVector<int32_t>({2}, {4, 4})}),
            "function `f`: load of `%a` at [-1] outside [2]");
}

TEST(InterpreterTest, ReportsUnwrittenElements) {
  constexpr char kUnwritten[] = R"(
func f(out %b: int32[2]) {
  alloc %t: local int32[2,2]
  %t[0, 0] = 1
  for i in [0, 2) {
    %b[i] = %t[i, i]
  }
})";
  EXPECT_EQ(ErrorOf(kUnwritten),
            "function `f`: load of `%t` at [1, 1], which nothing has written");
  InterpretOptions lenient;
  lenient.check_initialized = false;
  EXPECT_EQ(OutputOf<int32_t>(kUnwritten, {}, lenient),
            (std::vector<int32_t>{1, -1}));
  // Entering the allocation again makes its elements unwritten.
  EXPECT_EQ(ErrorOf(R"(
func f(out %b: int32[2]) {
  for i in [0, 2) {
    alloc %t: local int32[1]
    if i == 0 {
      %t[0] = 1
    }
    %b[i] = %t[0]
  }
})"),
            "function `f`: load of `%t` at [0], which nothing has written");
  EXPECT_EQ(ErrorOf("func f(out %b: int32[2]) {\n%b[1] = 1\n}"),
            "function `f`: element 0 of output `%b` is never written");
}

TEST(InterpreterTest, ReportsDataRaces) {
  constexpr char kRace[] = R"(
func f(out %b: int32[5]) {
  %b[0] = 1
  LOOP i in [0, 4) {
    %b[i + 1] = %b[i]
  }
})";
  for (const char* kind : {"parallel", "vectorized"}) {
    std::string text = kRace;
    text.replace(text.find("LOOP"), 4, kind);
    EXPECT_EQ(ErrorOf(text),
              "function `f`: load of `%b` at [1], which another iteration of "
              "a parallel or vectorized loop wrote");
  }
  std::string serial = kRace;
  serial.replace(serial.find("LOOP"), 4, "for");
  EXPECT_EQ(OutputOf<int32_t>(serial), (std::vector<int32_t>{1, 1, 1, 1, 1}));
  // Reads after the loop or in the writing iteration are not races.
  EXPECT_EQ(OutputOf<int32_t>(R"(
func f(out %b: int32[4]) {
  alloc %t: global int32[4]
  parallel i in [0, 4) {
    vectorized j in [0, 1) {
      %t[i + j] = i
    }
    %t[i] = %t[i] + 1
  }
  parallel i in [0, 4) {
    %b[i] = %t[3 - i]
  }
})"),
            (std::vector<int32_t>{4, 3, 2, 1}));
}

TEST(InterpreterTest, ShuffledIterationsExposeDependence) {
  // Iterations overwrite one another; the last one executed wins.
  constexpr char kLastWins[] = R"(
func f(out %b: int32[1]) {
  parallel i in [0, 16) {
    %b[0] = i
  }
})";
  EXPECT_EQ(OutputOf<int32_t>(kLastWins), (std::vector<int32_t>{15}));
  bool differs = false;
  for (uint64_t seed = 1; seed < 5; ++seed) {
    InterpretOptions options;
    options.seed = seed;
    differs |= OutputOf<int32_t>(kLastWins, {}, options)[0] != 15;
  }
  EXPECT_TRUE(differs);
}

TEST(InterpreterTest, DivisionByZeroIsAnError) {
  EXPECT_EQ(ErrorOf("func f(in %a: int32[1], out %b: int32[1]) {\n"
                    "%b[0] = 1 / %a[0]\n}",
                    {NDArray(DType::Int32(), {1})}),
            "function `f`: division by zero");
}

TEST(InterpreterTest, RejectsWrongInputs) {
  constexpr char kCopy[] =
      "func f(in %a: float32[2], out %b: float32[1]) {\n%b[0] = %a[0]\n}";
  EXPECT_EQ(ErrorOf(kCopy), "function `f` takes 1 inputs, not 0");
  EXPECT_EQ(ErrorOf(kCopy, {NDArray(DType::Float32(), {3})}),
            "input `%a` of function `f` is float32[2], not float32[3]");
  EXPECT_EQ(ErrorOf("func f(in %a: float32[2]) {\n%a[0] = 1f\n}",
                    {NDArray(DType::Float32(), {2})}),
            "function `f`: input `%a` is stored to");
}

}  // namespace
}  // namespace assay::tir
