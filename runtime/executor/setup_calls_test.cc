// Tests of the setup calls of an artifact: when they run, on all kinds of
// devices of this machine, and which memory remains.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/abi/abi.h"
#include "runtime/base/large/large_bytes.h"
#include "runtime/base/random.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/interpreter/interpreter_device.h"
#include "runtime/device/interpreter/testing/test_program.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/executor.h"

namespace assay::runtime {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kBytes = kTestCount * 4;

NDArray Random(uint64_t seed) {
  NDArray a(DType::Float32(), {32, 32});
  Rng(seed).FillUniform(a, -1, 1);
  return a;
}

void ExpectAnswers(Executor& executor) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const NDArray x = Random(seed), z = Random(seed + 100);
    ASSERT_TRUE(executor.SetInputs({{"x", x}, {"z", z}}).ok());
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(executor.Run().ok());
      EXPECT_TRUE(BitwiseEqual(*executor.GetOutput("y"), TestAnswer(x, z)));
    }
  }
}

class DeviceKindsTest : public testing::TestWithParam<bool> {
 protected:
  DeviceKindsTest() : is_cpu_(GetParam()) {
    if (is_cpu_) {
      device_ = *CpuDevice::Create(2);
    } else {
      device_ = *InterpreterDevice::Create();
    }
  }
  // With the code of the device.
  Artifact ForDevice(Artifact artifact) const {
    if (!is_cpu_) {
      artifact.code_kind = std::string(device_->code_kind());
      artifact.code = Serialize(TestProgram());
    }
    return artifact;
  }

  const bool is_cpu_;
  std::unique_ptr<Device> device_;
};

INSTANTIATE_TEST_SUITE_P(All, DeviceKindsTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                           return info.param ? "Cpu" : "Interpreter";
                         });

TEST_P(DeviceKindsTest, CallsReadTheResultsOfSetupCalls) {
  for (const uint64_t seed : {0, 5}) {
    Executor::Options options;
    options.placement_seed = seed;
    const auto executor = Executor::Create(ForDevice(TestSetupArtifact()),
                                           device_.get(), options);
    ASSERT_TRUE(executor.ok()) << executor.status();
    EXPECT_EQ((*executor)->calls().size(), 3u);
    ExpectAnswers(**executor);
    std::vector<int64_t> nanos;
    ASSERT_TRUE((*executor)->RunTimed(&nanos).ok());
    EXPECT_EQ(nanos.size(), 3u);
  }
}

TEST_P(DeviceKindsTest, TwoExecutorsComputeTheSame) {
  const Artifact artifact = ForDevice(TestSetupArtifact());
  auto first = Executor::Create(artifact, device_.get());
  ASSERT_TRUE(first.ok()) << first.status();
  Executor::Options options;
  options.beside = first->get();
  for (const Artifact* beside :
       {static_cast<const Artifact*>(nullptr), &artifact}) {
    options.beside_artifact = beside;
    const auto second = Executor::Create(artifact, device_.get(), options);
    ASSERT_TRUE(second.ok()) << second.status();
    ExpectAnswers(**second);
    ExpectAnswers(**first);
  }
}

TEST_P(DeviceKindsTest, ErrorsNameTheKernelOfTheSetupCall) {
  Artifact artifact = ForDevice(TestSetupArtifact());
  artifact.setup.push_back({"test_fail", {}, {}, {}, "fail", 0, 0, ""});
  const absl::Status failed =
      Executor::Create(artifact, device_.get()).status();
  EXPECT_TRUE(absl::IsInternal(failed)) << failed;
  EXPECT_THAT(failed.message(), testing::HasSubstr("`test_fail`"));
  artifact.setup.back().symbol = "test_missing";
  const absl::Status missing =
      Executor::Create(artifact, device_.get()).status();
  EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
  EXPECT_THAT(missing.message(), testing::HasSubstr("`test_missing`"));
}

TEST_P(DeviceKindsTest, ASizeIsNotBelieved) {
  Artifact hungry = ForDevice(TestSetupArtifact());
  hungry.tensors.push_back(
      {"huge", DType::Int64(), {int64_t{1} << 39}, Location::kSetup, kBytes});
  hungry.setup_bytes = (int64_t{1} << 42) + kBytes;
  hungry.setup.push_back({"test_fail", {}, {7}, {}, "fail", 0, 0, ""});
  const absl::Status status = Executor::Create(hungry, device_.get()).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
}

// A device that counts the bytes of its buffers and records the kernels that
// run. It runs `test_add` and `test_scale`, which may have other names: the
// code has a line `SYMBOL KIND` for each kernel.
class MeteredDevice : public Device {
 public:
  absl::string_view kind() const override { return "metered"; }
  absl::string_view code_kind() const override { return "metered"; }
  int num_threads() const override { return 1; }

  absl::StatusOr<std::unique_ptr<Buffer>> Allocate(int64_t bytes) override {
    auto buffer = std::make_unique<MeteredBuffer>(this, bytes);
    peak_bytes = std::max(peak_bytes, live_bytes);
    return buffer;
  }
  absl::Status CopyIn(const void* from, const BufferView& to) override {
    memcpy(Address(to), from, static_cast<size_t>(to.bytes));
    return absl::OkStatus();
  }
  absl::Status CopyOut(const BufferView& from, void* to) override {
    memcpy(to, Address(from), static_cast<size_t>(from.bytes));
    return absl::OkStatus();
  }
  absl::Status Synchronize() override {
    runs.push_back("wait");
    return absl::OkStatus();
  }
  absl::Status FlushCaches(int64_t) override { return absl::OkStatus(); }

  int64_t live_bytes = 0;
  int64_t peak_bytes = 0;
  int modules = 0;
  std::vector<std::string> runs;
  // The addresses of the arguments with which each kernel was bound last, and
  // the offsets of these arguments in their buffers.
  std::map<std::string, std::vector<const char*>> args;
  std::map<std::string, std::vector<int64_t>> offsets;

 private:
  struct MeteredBuffer : Buffer {
    MeteredBuffer(MeteredDevice* d, int64_t n)
        : Buffer(n), device(d), memory(static_cast<size_t>(n), '\0') {
      device->live_bytes += n;
    }
    ~MeteredBuffer() override { device->live_bytes -= bytes(); }
    MeteredDevice* device;
    std::string memory;
  };
  static char* Address(const BufferView& view) {
    EXPECT_TRUE(CheckView(view).ok());
    return static_cast<MeteredBuffer*>(view.buffer)->memory.data() +
           view.offset;
  }

  struct MeteredKernel : BoundKernel {
    absl::Status Run() override {
      device->runs.push_back(symbol);
      const auto* a = reinterpret_cast<const float*>(Address(args[0]));
      const auto* b = reinterpret_cast<const float*>(Address(args[1]));
      auto* out = reinterpret_cast<float*>(Address(args.back()));
      for (int64_t i = 0; i < kTestCount; ++i) {
        out[i] = kind == "test_add" ? a[i] + b[i] : 2 * a[i];
      }
      return absl::OkStatus();
    }
    MeteredDevice* device;
    std::string symbol, kind;
    std::vector<BufferView> args;
  };
  struct MeteredModule : Module {
    KernelCode CodeOf(const std::string& symbol) const override {
      for (absl::string_view line : absl::StrSplit(code, '\n')) {
        if (absl::ConsumePrefix(&line, symbol + " ")) return {line, 0};
      }
      return {};
    }
    absl::StatusOr<std::unique_ptr<BoundKernel>> Bind(
        const std::string& symbol,
        absl::Span<const BufferView> views) override {
      auto kernel = std::make_unique<MeteredKernel>();
      kernel->device = device;
      kernel->symbol = symbol;
      kernel->kind = std::string(CodeOf(symbol).bytes);
      kernel->args.assign(views.begin(), views.end());
      std::vector<const char*>& args = device->args[symbol];
      args.clear();
      std::vector<int64_t>& offsets = device->offsets[symbol];
      offsets.clear();
      for (const BufferView& view : views) {
        args.push_back(Address(view));
        offsets.push_back(view.offset);
      }
      return kernel;
    }
    MeteredDevice* device;
    std::string code;
  };
  absl::StatusOr<std::unique_ptr<Module>> LoadCode(absl::string_view code,
                                                   uint64_t) override {
    ++modules;
    auto module = std::make_unique<MeteredModule>();
    module->device = this;
    module->code = std::string(code);
    return module;
  }
};

// y = 2 * (x + w) + v, with two setup calls e0 and e1: w = 2 * (2 * q). The
// parameters are v, which remains, and q.
Artifact Chain() {
  Artifact a = TestArtifact();
  const TensorInfo w = a.tensors[2];
  const auto add = [&](const char* name, Location location, int64_t position) {
    a.tensors.push_back(w);
    a.tensors.back().name = name;
    a.tensors.back().location = location;
    a.tensors.back().position = position;
  };
  add("h", Location::kSetup, 0);       // 6
  add("q", Location::kParam, kBytes);  // 7
  add("v", Location::kParam, 0);       // 8
  a.tensors[2].location = Location::kSetup;
  a.tensors[2].position = kBytes;
  a.setup_bytes = 2 * kBytes;
  a.setup = {{"e0", {7}, {6}, {"w"}, "mul", 0, 0, "a"},
             {"e1", {6}, {2}, {"w"}, "mul", 0, 0, "b"}};
  a.calls = {{"k0", {0, 2}, {3}, {}, "add", 0, 0, "c"},
             {"k1", {3}, {4}, {}, "mul", 0, 0, "d"},
             {"k2", {4, 8}, {5}, {}, "add", 0, 0, "e"}};
  std::vector<float> params(2 * kTestCount, 1.0f);
  for (int64_t i = 0; i < kTestCount; ++i) {
    params[kTestCount + i] = static_cast<float>(i) / 4;
  }
  a.params.assign(reinterpret_cast<const char*>(params.data()), 2 * kBytes);
  a.code_kind = "metered";
  a.code =
      "e0 test_scale\ne1 test_scale\nk0 test_add\nk1 test_scale\nk2 test_add\n";
  return a;
}

NDArray Ones() {
  NDArray ones(DType::Float32(), {32, 32});
  for (int64_t i = 0; i < kTestCount; ++i) ones.data<float>()[i] = 1.0f;
  return ones;
}

void ExpectAnswerOfChain(Executor& executor) {
  const NDArray x = Random(1);
  ASSERT_TRUE(executor.SetInputs({{"x", x}, {"z", x}}).ok());
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(executor.Run().ok());
    EXPECT_TRUE(BitwiseEqual(*executor.GetOutput("y"), TestAnswer(x, Ones())));
  }
}

// The sizes of inputs, outputs, arena, and what remains of the constants.
constexpr int64_t kWritable = 5 * kBytes;
constexpr int64_t kRemaining = kWritable + kBytes + 2 * kBytes;

TEST(SetupCallsTest, RunOnceBeforeTheFirstRun) {
  MeteredDevice device;
  const auto executor = Executor::Create(Chain(), &device);
  ASSERT_TRUE(executor.ok()) << executor.status();
  EXPECT_THAT(device.runs, ElementsAre("e0", "wait", "e1", "wait"));
  device.runs.clear();
  ExpectAnswerOfChain(**executor);
  EXPECT_THAT(device.runs,
              ElementsAre("k0", "k1", "k2", "wait", "k0", "k1", "k2", "wait"));
}

TEST(SetupCallsTest, ParametersThatOnlyTheyReadAreFreed) {
  MeteredDevice device;
  const Artifact artifact = Chain();
  const auto copied = Executor::Create(artifact, &device);
  ASSERT_TRUE(copied.ok()) << copied.status();
  EXPECT_EQ(device.live_bytes, kRemaining);
  EXPECT_EQ(device.peak_bytes, kRemaining);
  const auto taken =
      Executor::Create(Artifact(artifact), &device, Executor::Options());
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_EQ(device.live_bytes, 2 * kRemaining);
  EXPECT_EQ(device.peak_bytes, 2 * kRemaining);
  ExpectAnswerOfChain(**copied);
  ExpectAnswerOfChain(**taken);
}

TEST(SetupCallsTest, ParametersThatOthersReadRemain) {
  for (const bool is_taken : {false, true}) {
    MeteredDevice device;
    Artifact artifact = Chain();
    artifact.calls[2].inputs[1] = 7;
    const auto executor = is_taken
                              ? Executor::Create(std::move(artifact), &device,
                                                 Executor::Options())
                              : Executor::Create(artifact, &device);
    ASSERT_TRUE(executor.ok()) << executor.status();
    EXPECT_EQ(device.live_bytes, kRemaining + kBytes);
    EXPECT_EQ(device.peak_bytes, device.live_bytes);
  }
}

TEST(SetupCallsTest, TakesParametersInAnyOrder) {
  MeteredDevice device;
  Artifact artifact = Chain();
  std::rotate(artifact.params.begin(), artifact.params.begin() + kBytes,
              artifact.params.end());
  artifact.tensors[7].position = 0;
  artifact.tensors[8].position = kBytes;
  const auto executor =
      Executor::Create(std::move(artifact), &device, Executor::Options());
  ASSERT_TRUE(executor.ok()) << executor.status();
  ExpectAnswerOfChain(**executor);
}

// A part of a parameter that a setup call reads can remain.
TEST(SetupCallsTest, TakesParametersThatOverlap) {
  MeteredDevice device;
  Artifact artifact = Chain();
  artifact.tensors.push_back(  // 9: v and q
      {"whole", DType::Float32(), {2 * kTestCount}, Location::kParam, 0});
  artifact.tensors.push_back(  // 10
      {"s", DType::Float32(), {32, 32}, Location::kSetup, 2 * kBytes});
  artifact.setup_bytes += kBytes;
  artifact.setup.push_back({"e0", {9}, {10}, {}, "mul", 0, 0, "a"});
  const auto executor =
      Executor::Create(std::move(artifact), &device, Executor::Options());
  ASSERT_TRUE(executor.ok()) << executor.status();
  ExpectAnswerOfChain(**executor);
  EXPECT_EQ(device.live_bytes, kRemaining + kBytes);
}

// A setup call can read a part of a result.
TEST(SetupCallsTest, ResultsCanBeReadInParts) {
  MeteredDevice device;
  Artifact artifact = Chain();
  artifact.tensors[6].shape = {40, 32};
  artifact.tensors[2].position = 40 * 32 * 4;
  artifact.setup_bytes = 40 * 32 * 4 + kBytes;
  TensorInfo part = artifact.tensors[2];
  part.position = 256;
  artifact.tensors.push_back(part);  // 9: h without its first 64 elements
  artifact.setup[1].inputs = {9};
  const auto executor = Executor::Create(artifact, &device);
  ASSERT_TRUE(executor.ok()) << executor.status();
  EXPECT_EQ(device.args["e1"][0], device.args["e0"][1] + 256);
}

TEST(SetupCallsTest, ResultsOfAnEqualExecutorAreShared) {
  MeteredDevice device;
  const Artifact artifact = Chain();
  const auto first = Executor::Create(artifact, &device);
  const auto args = device.args;
  Executor::Options options;
  options.beside = first->get();
  options.beside_artifact = &artifact;
  device.runs.clear();
  device.peak_bytes = 0;
  const auto second = Executor::Create(artifact, &device, options);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_THAT(device.runs, ElementsAre());
  EXPECT_EQ(device.peak_bytes, 0);
  EXPECT_EQ(device.live_bytes, kRemaining);
  EXPECT_EQ(device.args, args);
}

// Only results that depend on a difference are computed and have other
// addresses.
TEST(SetupCallsTest, OnlyResultsThatDifferAreComputedAgain) {
  const struct {
    const char* what;
    void (*change)(Artifact& a);
    std::vector<std::string> runs;
  } cases[] = {
      {"a parameter", [](Artifact& a) { a.params.back() ^= 1; }, {"e0", "e1"}},
      {"the code of the first call",
       [](Artifact& a) { a.code.replace(0, 14, "e0 test_scale "); },
       {"e0", "e1"}},
      {"the code of the second call",
       [](Artifact& a) { a.code.replace(14, 14, "e1 test_scale "); },
       {"e1"}},
      {"no digest", [](Artifact& a) { a.setup[1].code_digest = ""; }, {"e1"}},
      {"another digest",
       [](Artifact& a) { a.setup[0].code_digest = "x"; },
       {"e0", "e1"}},
      {"another parameter",
       [](Artifact& a) { a.tensors[7].position = 0; },
       {"e0", "e1"}},
      {"the order of the results",
       [](Artifact& a) {
         std::swap(a.tensors[2].position, a.tensors[6].position);
       },
       {}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    MeteredDevice device;
    const Artifact base = Chain();
    Artifact changed = base;
    c.change(changed);
    const auto first = Executor::Create(base, &device);
    const auto args = device.args;
    Executor::Options options;
    options.beside = first->get();
    options.beside_artifact = &base;
    device.runs.clear();
    const auto second = Executor::Create(changed, &device, options);
    ASSERT_TRUE(second.ok()) << second.status();
    std::vector<std::string> runs = device.runs;
    runs.erase(std::remove(runs.begin(), runs.end(), "wait"), runs.end());
    EXPECT_EQ(runs, c.runs);
    const auto own = static_cast<int64_t>(runs.size());
    EXPECT_EQ(device.live_bytes, kRemaining + own * kBytes);
    EXPECT_EQ(device.args["k0"][1] == args.at("k0")[1], own == 0);
    EXPECT_EQ(device.args["k2"][1], args.at("k2")[1]);  // v
  }
}

// Without the artifact of the other executor, nothing is known to be equal.
TEST(SetupCallsTest, ResultsAreNotSharedWithAnUnknownArtifact) {
  MeteredDevice device;
  const Artifact artifact = Chain();
  const auto first = Executor::Create(artifact, &device);
  Executor::Options options;
  options.beside = first->get();
  const auto second = Executor::Create(artifact, &device, options);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_THAT(device.runs, ElementsAre("e0", "wait", "e1", "wait", "e0", "wait",
                                       "e1", "wait"));
}

// A parameter that `beside` has freed cannot be shared.
TEST(SetupCallsTest, FreedParametersAreNotShared) {
  MeteredDevice device;
  const Artifact base = Chain();
  Artifact changed = base;
  changed.calls[2].inputs[1] = 7;
  const auto first = Executor::Create(base, &device);
  Executor::Options options;
  options.beside = first->get();
  options.beside_artifact = &base;
  const auto second = Executor::Create(changed, &device, options);
  ASSERT_TRUE(second.ok()) << second.status();
  const NDArray x = Random(1);
  ASSERT_TRUE((*second)->SetInputs({{"x", x}, {"z", x}}).ok());
  ASSERT_TRUE((*second)->Run().ok());
  NDArray q(DType::Float32(), {32, 32});
  memcpy(q.raw(), base.params.data() + kBytes, kBytes);
  EXPECT_TRUE(BitwiseEqual(*(*second)->GetOutput("y"), TestAnswer(x, q)));
}

TEST(SetupCallsTest, SharedResultsOutliveTheirExecutor) {
  MeteredDevice device;
  const Artifact artifact = Chain();
  auto first = Executor::Create(artifact, &device);
  Executor::Options options;
  options.beside = first->get();
  options.beside_artifact = &artifact;
  const auto second = Executor::Create(artifact, &device, options);
  ASSERT_TRUE(second.ok()) << second.status();
  first->reset();
  ExpectAnswerOfChain(**second);
}

TEST(SetupCallsTest, ArtifactsWithNothingElseRun) {
  MeteredDevice device;
  Artifact artifact = Chain();
  artifact.calls.clear();
  artifact.tensors[5].location = Location::kArena;
  const auto executor = Executor::Create(artifact, &device);
  ASSERT_TRUE(executor.ok()) << executor.status();
  EXPECT_THAT(device.runs, ElementsAre("e0", "wait", "e1", "wait"));
}

TEST(SetupCallsTest, SeedsDrawTheOffsetOfTheResults) {
  std::set<int64_t> offsets;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    MeteredDevice device;
    Executor::Options options;
    options.placement_seed = seed;
    const auto executor = Executor::Create(Chain(), &device, options);
    ASSERT_TRUE(executor.ok()) << executor.status();
    const int64_t offset = device.offsets["e0"][1];
    EXPECT_GE(offset, 0);
    EXPECT_LT(offset, int64_t{1} << 16);
    offsets.insert(offset);
    EXPECT_EQ(device.offsets["e1"][0], offset);
    EXPECT_EQ(device.offsets["e1"][1], offset + kBytes);
  }
  EXPECT_EQ(offsets.size(), 10u);
}

// Number of bytes of [data, data + bytes) that are in memory.
size_t ResidentBytes(const char* data, size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t resident = 0;
  for (size_t at = 0; at < bytes; at += page) {
    unsigned char is_in = 0;
    // Fails if the page is not mapped at all.
    if (mincore(const_cast<char*>(data) + at, page, &is_in) == 0) {
      resident += is_in & 1 ? page : 0;
    }
  }
  return resident;
}

// The memory of a large artifact is taken, and its end is given back.
TEST(SetupCallsTest, TheEndOfTakenParametersIsGivenBack) {
  const auto device = *CpuDevice::Create(1);
  Artifact artifact = TestSetupArtifact();
  constexpr size_t kKept = 2 * kLargeBytes;
  LargeBytes params(kKept, 'k');
  params += artifact.params;
  params.resize(3 * kKept, 's');
  artifact.params = params;
  artifact.tensors[6].position = kKept;
  artifact.tensors.push_back({"kept",
                              DType::Float32(),
                              {static_cast<int64_t>(kKept) / 4},
                              Location::kParam,
                              0});
  const char* const data = artifact.params.data();
  EXPECT_EQ(ResidentBytes(data, 3 * kKept), 3 * kKept);
  const auto executor =
      Executor::Create(std::move(artifact), device.get(), Executor::Options());
  ASSERT_TRUE(executor.ok()) << executor.status();
  EXPECT_EQ(ResidentBytes(data, kKept), kKept);
  EXPECT_LE(ResidentBytes(data + kKept, 2 * kKept), size_t{1} << 16);
  ExpectAnswers(**executor);
}

}  // namespace
}  // namespace assay::runtime
