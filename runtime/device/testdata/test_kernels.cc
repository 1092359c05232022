#include "runtime/device/testdata/test_kernels.h"

#include <cstdlib>
#include <vector>

#include "runtime/abi/abi.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"

namespace assay::runtime {

std::string TestKernels() {
  const char* runfiles = std::getenv("TEST_SRCDIR");
  const char* workspace = std::getenv("TEST_WORKSPACE");
  CHECK(runfiles != nullptr && workspace != nullptr) << "not run by Bazel";
  const absl::StatusOr<std::string> code =
      ReadFile(JoinPath(JoinPath(runfiles, workspace),
                        "runtime/device/testdata/test_kernels.so"));
  CHECK(code.ok()) << code.status();
  return *code;
}

Artifact TestArtifact() {
  const DType f32 = DType::Float32();
  const Shape shape = {32, 32};
  constexpr int64_t kBytes = kTestCount * 4;
  Artifact a;
  a.metadata = {{kMetaModel, "test"}};
  a.tensors = {
      {"x", f32, shape, Location::kInput, 0},
      {"z", f32, shape, Location::kInput, 1},
      {"w", f32, shape, Location::kParam, 0},
      {"t", f32, shape, Location::kArena, 0},
      {"u", f32, shape, Location::kArena, kBytes},
      {"y", f32, shape, Location::kOutput, 0},
  };
  a.arena_bytes = 2 * kBytes;
  a.calls = {
      {"test_add", {0, 2}, {3}, {"Add_0"}, "add", kTestCount, 3 * kBytes, ""},
      {"test_scale", {3}, {4}, {"Mul_1"}, "mul", kTestCount, 2 * kBytes, ""},
      {"test_add", {4, 1}, {5}, {"Add_2"}, "add", kTestCount, 3 * kBytes, ""},
  };
  std::vector<float> w(kTestCount);
  for (int64_t i = 0; i < kTestCount; ++i) w[i] = static_cast<float>(i);
  a.params.assign(reinterpret_cast<const char*>(w.data()), kBytes);
  a.code_kind = ASSAY_CODE_KIND_ELF;
  a.code = TestKernels();
  return a;
}

NDArray TestAnswer(const NDArray& x, const NDArray& z) {
  NDArray y(DType::Float32(), x.shape());
  for (int64_t i = 0; i < kTestCount; ++i) {
    y.data<float>()[i] = 2.0f * (x.data<float>()[i] + static_cast<float>(i)) +
                         z.data<float>()[i];
  }
  return y;
}

Artifact TestSetupArtifact() {
  Artifact a = TestArtifact();
  TensorInfo h = a.tensors[2];
  h.name = "h";
  a.tensors.push_back(h);
  a.tensors[2].location = Location::kSetup;
  a.setup_bytes = kTestCount * 4;
  a.setup = {{"test_scale", {6}, {2}, {"w"}, "mul", kTestCount, 0, ""}};
  std::vector<float> values(kTestCount);
  for (int64_t i = 0; i < kTestCount; ++i) {
    values[i] = static_cast<float>(i) / 2;
  }
  a.params.assign(reinterpret_cast<const char*>(values.data()), kTestCount * 4);
  return a;
}

}  // namespace assay::runtime
