// Compares every available reference with the definition of the operator, on
// sizes that are not multiples of a vector width, and tests the conditions of
// its runs. Tests are skipped if no reference is available.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "runtime/device/cpu/cpu_affinity.h"
#include "suites/references/all_references.h"
#include "suites/references/parity.h"
#include "suites/references/pinned_workers.h"

namespace assay::suites {
namespace {

constexpr uint64_t kSeed = 7;

NDArray Uniform(const Shape& shape, absl::string_view name) {
  NDArray array(DType::Float32(), shape);
  Rng(SeedFor(kSeed, name)).FillUniform(array, -1.0f, 1.0f);
  return array;
}

References All() {
  const std::vector<std::string> names(ReferenceNames().begin(),
                                       ReferenceNames().end());
  absl::StatusOr<References> references = LoadReferences("", names);
  EXPECT_TRUE(references.ok()) << references.status();
  return *std::move(references);
}

#define SKIP_IF_NONE_IS_AVAILABLE(references) \
  if ((references).loaded.empty())            \
  GTEST_SKIP() << absl::StrJoin((references).notes, "\n")

// Runs the session twice and returns the output of the second run.
NDArray OutputOf(runtime::Session& session) {
  EXPECT_TRUE(runtime::RunOnce(session).ok());
  auto sample = runtime::RunOnce(session);
  EXPECT_TRUE(sample.ok()) << sample.status();
  EXPECT_EQ(sample->outputs.size(), 1u);
  return sample->outputs[0].value;
}

void ExpectNear(const NDArray& got, const NDArray& want,
                const std::string& what) {
  ASSERT_EQ(got.shape(), want.shape()) << what;
  for (int64_t i = 0; i < want.num_elements(); ++i) {
    ASSERT_NEAR(got.data<float>()[i], want.data<float>()[i], 1e-4)
        << what << " at " << i;
  }
}

NDArray NaiveGemm(const GemmProblem& p, const GemmOperands& x) {
  NDArray c(DType::Float32(), {p.m, p.n});
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < p.k; ++l) {
        sum += x.a.data<float>()[i * p.k + l] * x.b.data<float>()[l * p.n + j];
      }
      c.data<float>()[i * p.n + j] = static_cast<float>(sum);
    }
  }
  return c;
}

// Computes one element of the convolution by its definition.
float NaiveConvAt(const ConvProblem& p, const ConvOperands& x, int64_t o,
                  int64_t y, int64_t z) {
  const int64_t channels = p.in_channels / p.groups;
  const int64_t group = o / (p.out_channels / p.groups);
  double sum = p.bias_relu ? x.bias.data<float>()[o] : 0;
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t r = 0; r < p.kernel; ++r) {
      for (int64_t s = 0; s < p.kernel; ++s) {
        const int64_t h = y * p.stride + r * p.dilation - p.padding;
        const int64_t w = z * p.stride + s * p.dilation - p.padding;
        if (h < 0 || h >= p.height || w < 0 || w >= p.width) continue;
        const int64_t channel = group * channels + c;
        sum += x.data.data<float>()[(channel * p.height + h) * p.width + w] *
               x.weights.data<
                   float>()[((o * channels + c) * p.kernel + r) * p.kernel + s];
      }
    }
  }
  return static_cast<float>(p.bias_relu ? std::fmax(sum, 0) : sum);
}

NDArray NaiveConv(const ConvProblem& p, const ConvOperands& x) {
  NDArray out(DType::Float32(), p.out_shape());
  int64_t i = 0;
  for (int64_t o = 0; o < p.out_channels; ++o) {
    for (int64_t y = 0; y < p.out_height(); ++y) {
      for (int64_t z = 0; z < p.out_width(); ++z) {
        out.data<float>()[i++] = NaiveConvAt(p, x, o, y, z);
      }
    }
  }
  return out;
}

// This is the first test, so that the libraries have no threads before it.
TEST(ReferencesTest, PinTheirWorkers) {
  const std::vector<int> cpus = runtime::AllowedCpus();
  if (cpus.size() < 2) GTEST_SKIP() << "there is one processor";
  const std::vector<pid_t> before = ThreadIds();
  const GemmProblem problem = {300, 300, 300};
  const GemmOperands operands = {Uniform({300, 300}, "a"),
                                 Uniform({300, 300}, "b")};
  const References references = All();
  SKIP_IF_NONE_IS_AVAILABLE(references);
  std::vector<PreparedReference> gemms;
  for (const auto& reference : references.loaded) {
    auto gemm = reference->PrepareGemm(problem, operands, 2);
    ASSERT_TRUE(gemm.ok()) << gemm.status();
    EXPECT_EQ(gemm->parity.affinity, Affinity::kPinned) << reference->name();
    gemms.push_back(*std::move(gemm));
  }
  // A library may have other threads, which do not compute.
  size_t pinned = 0;
  for (const pid_t tid : ThreadIds()) {
    if (std::binary_search(before.begin(), before.end(), tid)) continue;
    pinned += runtime::AllowedCpusOf(tid).size() < cpus.size();
  }
  EXPECT_GE(pinned, references.loaded.size());
}

TEST(ReferencesTest, StateTheirConditions) {
  if (runtime::AllowedCpus().size() < 2) {
    GTEST_SKIP() << "there is one processor";
  }
  const GemmProblem problem = {64, 64, 64};
  const GemmOperands operands = {Uniform({64, 64}, "a"),
                                 Uniform({64, 64}, "b")};
  Parity ours = OurParity(2);
  ours.precision = problem.precision();
  std::vector<NamedParity> manifest = {{"ours", ours}};
  const References references = All();
  SKIP_IF_NONE_IS_AVAILABLE(references);
  for (const auto& reference : references.loaded) {
    auto gemm = reference->PrepareGemm(problem, operands, 2);
    ASSERT_TRUE(gemm.ok()) << gemm.status();
    EXPECT_NE(gemm->parity.optimization, "") << reference->name();
    manifest.push_back({reference->name(), gemm->parity});
  }
  EXPECT_TRUE(CheckParity(manifest).ok()) << CheckParity(manifest);
}

TEST(ReferencesTest, HaveTheLockedVersionsOrSayWhyTheyAreMissing) {
  const std::map<std::string, std::string> versions = {
      {"onednn", "3.2.0"},
      {"onnxruntime", "1.32.0"},
      {"openblas", "0.3.34.481.3"},
      {"openvino", "2026.4.1"},
  };
  const References references = All();
  EXPECT_EQ(references.loaded.size() + references.notes.size(),
            versions.size());
  for (const auto& reference : references.loaded) {
    EXPECT_EQ(reference->version(), versions.at(reference->name()))
        << reference->name();
  }
  for (const std::string& note : references.notes) {
    EXPECT_NE(note.find(" could not be fetched: "), std::string::npos) << note;
  }
}

TEST(ReferencesTest, UnknownNameIsAnError) {
  const auto references = LoadReferences("", {"mkl"});
  ASSERT_FALSE(references.ok());
  EXPECT_EQ(references.status().message(),
            "there is no reference `mkl`; there are `openblas`, `onednn`, "
            "`onnxruntime`, `openvino`");
}

TEST(ReferencesTest, MultiplyMatrices) {
  const GemmProblem problem = {17, 23, 31};
  const GemmOperands operands = {Uniform({17, 31}, "a"),
                                 Uniform({31, 23}, "b")};
  const NDArray want = NaiveGemm(problem, operands);
  const References references = All();
  SKIP_IF_NONE_IS_AVAILABLE(references);
  for (const auto& reference : references.loaded) {
    for (const int threads : {1, 2}) {
      auto run = reference->PrepareGemm(problem, operands, threads);
      ASSERT_TRUE(run.ok()) << run.status();
      ExpectNear(OutputOf(*run->session), want, reference->name());
    }
  }
}

TEST(ReferencesTest, MultiplyBytes) {
  GemmProblem problem = {17, 23, 31};
  problem.int8 = true;
  GemmOperands operands = {NDArray(DType::UInt(8), {17, 31}),
                           NDArray(DType::Int(8), {31, 23})};
  Rng rng(kSeed);
  rng.FillUniform(operands.a, 0, 127);
  rng.FillUniform(operands.b, -127, 127);
  NDArray want(DType::Int32(), {17, 23});
  for (int64_t i = 0; i < 17; ++i) {
    for (int64_t j = 0; j < 23; ++j) {
      for (int64_t l = 0; l < 31; ++l) {
        want.data<int32_t>()[i * 23 + j] +=
            operands.a.data<uint8_t>()[i * 31 + l] *
            operands.b.data<int8_t>()[l * 23 + j];
      }
    }
  }
  const References references = All();
  SKIP_IF_NONE_IS_AVAILABLE(references);
  for (const auto& reference : references.loaded) {
    auto run = reference->PrepareGemm(problem, operands, 1);
    if (absl::IsUnimplemented(run.status())) {
      EXPECT_TRUE(reference->name() == "openblas" ||
                  reference->name() == "openvino");
      EXPECT_EQ(run.status().message(),
                absl::StrCat(reference->name(), " multiplies no bytes"));
      continue;
    }
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_TRUE(BitwiseEqual(OutputOf(*run->session), want))
        << reference->name();
  }
}

TEST(ReferencesTest, Convolve) {
  ConvProblem plain;
  plain.in_channels = 6;
  plain.out_channels = 10;
  plain.height = 9;
  plain.width = 11;
  plain.kernel = 3;
  plain.stride = 2;
  plain.padding = 1;
  ConvProblem dilated = plain;
  dilated.stride = 1;
  dilated.dilation = 2;
  dilated.bias_relu = true;
  ConvProblem depthwise = plain;
  depthwise.groups = depthwise.out_channels = 6;
  depthwise.bias_relu = true;
  const References references = All();
  SKIP_IF_NONE_IS_AVAILABLE(references);
  for (const ConvProblem& problem : {plain, dilated, depthwise}) {
    const ConvOperands operands = {Uniform(problem.data_shape(), "data"),
                                   Uniform(problem.weight_shape(), "weights"),
                                   Uniform({problem.out_channels}, "bias")};
    const NDArray want = NaiveConv(problem, operands);
    for (const auto& reference : references.loaded) {
      auto run = reference->PrepareConv(problem, operands, 2);
      if (reference->name() == "openblas") {
        EXPECT_EQ(run.status().message(), "openblas has no convolution");
        continue;
      }
      ASSERT_TRUE(run.ok()) << run.status();
      ExpectNear(OutputOf(*run->session), want, reference->name());
    }
  }
}

}  // namespace
}  // namespace assay::suites
