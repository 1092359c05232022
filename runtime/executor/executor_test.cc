#include "runtime/executor/executor.h"

#include <set>
#include <string>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "runtime/abi/abi.h"
#include "runtime/base/large/large_bytes.h"
#include "runtime/base/random.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/host_memory_device.h"
#include "runtime/device/testdata/test_kernels.h"

namespace assay::runtime {
namespace {

class ExecutorTest : public testing::Test {
 protected:
  ExecutorTest() : device_(*CpuDevice::Create(2)) {}

  std::unique_ptr<Executor> Make(const Artifact& artifact) {
    absl::StatusOr<std::unique_ptr<Executor>> executor =
        Executor::Create(artifact, device_.get());
    EXPECT_TRUE(executor.ok()) << executor.status();
    return *std::move(executor);
  }
  absl::Status CreateError(const Artifact& artifact) {
    return Executor::Create(artifact, device_.get()).status();
  }

  std::unique_ptr<CpuDevice> device_;
};

NDArray Random(uint64_t seed) {
  NDArray a(DType::Float32(), {32, 32});
  Rng(seed).FillUniform(a, -1, 1);
  return a;
}

TEST_F(ExecutorTest, RunsPlanRepeatedly) {
  const auto executor = Make(*Parse(Serialize(TestArtifact())));
  ASSERT_EQ(executor->inputs().size(), 2u);
  EXPECT_EQ(executor->inputs()[1].name, "z");
  EXPECT_EQ(executor->outputs()[0].name, "y");
  EXPECT_EQ(executor->calls().size(), 3u);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const NDArray x = Random(seed), z = Random(seed + 100);
    ASSERT_TRUE(executor->SetInputs({{"z", z}, {"x", x}}).ok());
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(executor->Run().ok());
    const absl::StatusOr<NamedTensors> outputs = executor->GetOutputs();
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    ASSERT_EQ(outputs->size(), 1u);
    EXPECT_TRUE(BitwiseEqual((*outputs)[0].value, TestAnswer(x, z)));
  }
}

TEST_F(ExecutorTest, RunTimedReturnsOneTimePerKernel) {
  const auto executor = Make(TestArtifact());
  const NDArray x = Random(1), z = Random(2);
  ASSERT_TRUE(executor->SetInputs({{"x", x}, {"z", z}}).ok());
  std::vector<int64_t> nanos;
  ASSERT_TRUE(executor->RunTimed(&nanos).ok());
  ASSERT_EQ(nanos.size(), 3u);
  for (int64_t n : nanos) EXPECT_GT(n, 0);
  EXPECT_TRUE(BitwiseEqual(*executor->GetOutput("y"), TestAnswer(x, z)));
}

std::string marks;

TEST_F(ExecutorTest, RunMarkedMarksEachKernel) {
  const auto executor = Make(TestArtifact());
  const NDArray x = Random(1), z = Random(2);
  ASSERT_TRUE(executor->SetInputs({{"x", x}, {"z", z}}).ok());
  marks.clear();
  ASSERT_TRUE(
      executor->RunMarked([] { marks += "("; }, [] { marks += ")"; }).ok());
  EXPECT_EQ(marks, "()()()");
  EXPECT_TRUE(BitwiseEqual(*executor->GetOutput("y"), TestAnswer(x, z)));
}

// Two executors share inputs if the memory of the first is large enough for the
// second, and never disturb each other's runs.
TEST_F(ExecutorTest, SharesMemoryWithAnotherExecutor) {
  const Artifact first = TestArtifact();
  const auto executor = Make(first);
  const NDArray x = Random(1), z = Random(2);
  for (const int64_t more : {int64_t{0}, int64_t{4096}, int64_t{1} << 22}) {
    Artifact artifact = TestArtifact();
    artifact.arena_bytes += more;
    Executor::Options options;
    options.beside = executor.get();
    options.beside_artifact = &first;
    const auto beside = Executor::Create(artifact, device_.get(), options);
    ASSERT_TRUE(beside.ok()) << beside.status();
    ASSERT_TRUE((*beside)->SetInputs({{"x", x}, {"z", z}}).ok());
    ASSERT_TRUE(executor->SetInputs({{"x", x}, {"z", z}}).ok());
    for (int i = 0; i < 3; ++i) {
      for (Executor* e : {executor.get(), beside->get()}) {
        ASSERT_TRUE(e->Run().ok());
        EXPECT_TRUE(BitwiseEqual(*e->GetOutput("y"), TestAnswer(x, z)));
      }
    }
    // With shared memory, setting an input of one sets it for both.
    const NDArray other = Random(3);
    ASSERT_TRUE(executor->SetInput("x", other).ok());
    ASSERT_TRUE((*beside)->Run().ok());
    EXPECT_EQ(BitwiseEqual(*(*beside)->GetOutput("y"), TestAnswer(other, z)),
              more < int64_t{1} << 22);
  }
}

// A device that records where everything is placed.
class RecordingDevice : public HostMemoryDevice {
 public:
  struct Call {
    int module = 0;  // counted from 0
    std::string symbol;
    std::vector<const char*> args;
  };

  absl::string_view kind() const override { return "recording"; }
  absl::string_view code_kind() const override { return ASSAY_CODE_KIND_ELF; }
  int num_threads() const override { return 1; }
  Placement placement() const override { return {4096, 64, 4096}; }
  absl::Status FlushCaches(int64_t) override { return absl::OkStatus(); }

  std::vector<Call> calls;
  std::vector<uint64_t> module_seeds;
  std::vector<std::string> codes;  // of the modules

 private:
  struct NoKernel : BoundKernel {
    absl::Status Run() override { return absl::OkStatus(); }
  };
  struct RecordingModule : Module {
    RecordingModule(RecordingDevice* d, int n) : device(d), number(n) {}
    // The text after `SYMBOL ` in a line of the code.
    KernelCode CodeOf(const std::string& symbol) const override {
      const absl::string_view code = device->codes[static_cast<size_t>(number)];
      for (absl::string_view line : absl::StrSplit(code, '\n')) {
        if (absl::ConsumePrefix(&line, symbol + " ")) return {line, 0};
      }
      return {};
    }
    absl::StatusOr<std::unique_ptr<BoundKernel>> Bind(
        const std::string& symbol,
        absl::Span<const BufferView> views) override {
      Call call = {number, symbol, {}};
      for (const BufferView& view : views) {
        call.args.push_back(HostMemoryDevice::Address(view));
      }
      device->calls.push_back(std::move(call));
      return std::make_unique<NoKernel>();
    }
    RecordingDevice* device;
    int number;
  };
  absl::StatusOr<std::unique_ptr<Module>> LoadCode(
      absl::string_view code, uint64_t placement_seed) override {
    module_seeds.push_back(placement_seed);
    codes.emplace_back(code);
    return std::make_unique<RecordingModule>(
        this, static_cast<int>(module_seeds.size()) - 1);
  }
};

// The test artifact with a second parameter `v` for its last kernel, with
// digests, and with code for the device above.
Artifact TwoParameters() {
  Artifact artifact = TestArtifact();
  artifact.code = "test_add 1\ntest_scale 2\n";
  TensorInfo v = artifact.tensors[artifact.calls[0].inputs[1]];
  EXPECT_EQ(v.location, Location::kParam);
  v.name = "v";
  v.position = static_cast<int64_t>(artifact.params.size());
  artifact.params += std::string(artifact.params.size(), '\7');
  artifact.tensors.push_back(v);
  artifact.calls[2].inputs[1] =
      static_cast<int32_t>(artifact.tensors.size()) - 1;
  for (size_t i = 0; i < 3; ++i) {
    artifact.calls[i].code_digest = std::string(1, static_cast<char>('a' + i));
  }
  return artifact;
}

// Only what differs between two artifacts has other addresses.
TEST_F(ExecutorTest, SharesConstantsAndKernelsThatAreEqual) {
  const Artifact base = TwoParameters();
  Artifact changed = base;
  changed.calls[1].code_digest = "other";
  changed.code = "test_add 1\ntest_scale 3\n";
  changed.params.back() ^= 1;  // of `v`
  RecordingDevice device;
  Executor::Options options;
  options.placement_seed = 5;
  const auto first = Executor::Create(base, &device, options);
  ASSERT_TRUE(first.ok()) << first.status();
  options.beside = first->get();
  options.beside_artifact = &base;
  const auto second = Executor::Create(changed, &device, options);
  ASSERT_TRUE(second.ok()) << second.status();
  const std::vector<RecordingDevice::Call>& calls = device.calls;
  ASSERT_EQ(calls.size(), 6u);
  EXPECT_EQ(calls[3].module, 0);
  EXPECT_EQ(calls[4].module, 1);
  EXPECT_EQ(calls[5].module, 0);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(calls[3 + i].symbol, calls[i].symbol);
    for (size_t k = 0; k < calls[i].args.size(); ++k) {
      const bool is_v = i == 2 && k == 1;
      EXPECT_EQ(calls[3 + i].args[k] == calls[i].args[k], !is_v) << i << k;
    }
  }
  EXPECT_EQ(LargeBytes(calls[5].args[1], 4096), changed.params.substr(4096));
  EXPECT_NE(device.module_seeds[0], device.module_seeds[1]);
}

// An artifact could claim the digests of a faster one, and would be measured
// with its kernels.
TEST_F(ExecutorTest, DoesNotBelieveClaimedDigests) {
  const Artifact base = TwoParameters();
  Artifact slow = base;
  slow.code = "test_add 1\ntest_scale 2, slowly\n";
  RecordingDevice device;
  const auto first = Executor::Create(base, &device);
  ASSERT_TRUE(first.ok()) << first.status();
  Executor::Options options;
  options.beside = first->get();
  for (const Artifact* artifact :
       {&base, static_cast<const Artifact*>(nullptr)}) {
    options.beside_artifact = artifact;
    device.calls.clear();
    const auto second = Executor::Create(slow, &device, options);
    ASSERT_TRUE(second.ok()) << second.status();
    ASSERT_EQ(device.calls.size(), 3u);
    EXPECT_EQ(device.calls[0].module, 0);
    EXPECT_GT(device.calls[1].module, 0);
    EXPECT_EQ(device.calls[2].module, 0);
  }
}

// The program that is run is the own one, on a real device.
TEST_F(ExecutorTest, RunsOwnKernelInSpiteOfClaimedDigest) {
  Artifact base = TestArtifact();
  base.calls[1].code_digest = "digest";
  Artifact other = base;
  other.calls[1].symbol = "test_fail";
  const auto first = Make(base);
  Executor::Options options;
  options.beside = first.get();
  options.beside_artifact = &base;
  const auto second = Executor::Create(other, device_.get(), options);
  ASSERT_TRUE(second.ok()) << second.status();
  const NamedTensors inputs = {{"x", Random(1)}, {"z", Random(2)}};
  ASSERT_TRUE(first->SetInputs(inputs).ok());
  ASSERT_TRUE((*second)->SetInputs(inputs).ok());
  EXPECT_TRUE(first->Run().ok());
  EXPECT_TRUE(absl::IsInternal((*second)->Run()));
}

// Names of kernels contain their index in the model.
TEST_F(ExecutorTest, SharesEqualKernelsOfOtherNames) {
  const Artifact base = TwoParameters();
  Artifact renamed = base;
  renamed.calls[1].symbol = "k7_scale";
  renamed.code = "k7_scale 2\ntest_add 1\n";
  RecordingDevice device;
  const auto first = Executor::Create(base, &device);
  Executor::Options options;
  options.beside = first->get();
  ASSERT_TRUE(Executor::Create(renamed, &device, options).ok());
  for (size_t i = 3; i < 6; ++i) {
    EXPECT_EQ(device.calls[i].module, 0);
    EXPECT_EQ(device.calls[i].symbol, device.calls[i - 3].symbol);
  }
}

// The same code need not be loaded twice.
TEST_F(ExecutorTest, LoadsEqualCodeOnce) {
  const Artifact base = TwoParameters();
  RecordingDevice device;
  const auto first = Executor::Create(base, &device);
  Executor::Options options;
  options.beside = first->get();
  options.beside_artifact = &base;
  ASSERT_TRUE(Executor::Create(base, &device, options).ok());
  EXPECT_EQ(device.module_seeds.size(), 1u);
}

// An artifact with many constants, which a device in this process need not copy
// unless their place is chosen.
TEST_F(ExecutorTest, TakesConstantsInsteadOfCopyingThem) {
  Artifact artifact = TwoParameters();
  artifact.params.resize(kLargeBytes);
  const char* const params = artifact.params.data();
  const int64_t position = artifact.tensors.back().position;  // of `v`
  RecordingDevice device;
  const auto copied = Executor::Create(artifact, &device);
  ASSERT_TRUE(copied.ok()) << copied.status();
  EXPECT_NE(device.calls[2].args[1], params + position);
  Executor::Options options;
  options.placement_seed = 5;
  ASSERT_TRUE(Executor::Create(Artifact(artifact), &device, options).ok());
  options.placement_seed = 0;
  const auto taken = Executor::Create(std::move(artifact), &device, options);
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_EQ(device.calls[8].args[1], params + position);
  EXPECT_EQ(std::string(params + position, 3), "\7\7\7");

  // Nothing is taken beside another executor.
  Artifact third = TwoParameters();
  options.beside = taken->get();
  ASSERT_TRUE(Executor::Create(std::move(third), &device, options).ok());
  EXPECT_TRUE(third == TwoParameters());
}

TEST_F(ExecutorTest, RunsWithTakenConstants) {
  Artifact artifact = TestArtifact();
  artifact.params.resize(kLargeBytes);
  const auto executor =
      Executor::Create(std::move(artifact), device_.get(), Executor::Options());
  ASSERT_TRUE(executor.ok()) << executor.status();
  const NDArray x = Random(1), z = Random(2);
  ASSERT_TRUE((*executor)->SetInputs({{"x", x}, {"z", z}}).ok());
  ASSERT_TRUE((*executor)->Run().ok());
  EXPECT_TRUE(BitwiseEqual(*(*executor)->GetOutput("y"), TestAnswer(x, z)));
}

// Without a digest, only constants are shared: an artifact can ask for kernels
// of its own.
TEST_F(ExecutorTest, KernelsWithoutADigestAreNotShared) {
  Artifact artifact = TwoParameters();
  for (KernelCall& call : artifact.calls) call.code_digest.clear();
  RecordingDevice device;
  const auto first = Executor::Create(artifact, &device);
  Executor::Options options;
  options.beside = first->get();
  options.beside_artifact = &artifact;
  ASSERT_TRUE(Executor::Create(artifact, &device, options).ok());
  for (size_t i = 3; i < 6; ++i) EXPECT_EQ(device.calls[i].module, 1);
}

TEST_F(ExecutorTest, SeedsChangeTheAddresses) {
  const Artifact artifact = TwoParameters();
  const auto offsets = [&](uint64_t seed) {
    RecordingDevice device;
    Executor::Options options;
    options.placement_seed = seed;
    EXPECT_TRUE(Executor::Create(artifact, &device, options).ok());
    std::vector<uintptr_t> offsets = {device.module_seeds[0]};
    for (const char* address : {device.calls[0].args[0],     // input
                                device.calls[0].args[1],     // constant
                                device.calls[0].args[2]}) {  // arena
      offsets.push_back(reinterpret_cast<uintptr_t>(address) % 4096);
    }
    return offsets;
  };
  std::set<std::vector<uintptr_t>> all;
  for (uint64_t seed = 1; seed <= 20; ++seed) all.insert(offsets(seed));
  EXPECT_EQ(all.size(), 20u);
  EXPECT_EQ(offsets(3), offsets(3));
  EXPECT_EQ(offsets(0)[0], 0u);
}

TEST_F(ExecutorTest, ChecksNameTypeAndShapeOfInputs) {
  const auto executor = Make(TestArtifact());
  const auto set = [&](const char* name, const NDArray& value) {
    return executor->SetInput(name, value);
  };
  EXPECT_EQ(set("w", Random(0)),
            absl::NotFoundError(
                "the model has no input `w`; its inputs are `x`, `z`"));
  EXPECT_EQ(set("x", NDArray(DType::Float32(), {1024})),
            absl::InvalidArgumentError("input `x` is float32[32,32], but the "
                                       "value is float32[1024]"));
  EXPECT_EQ(set("x", NDArray(DType::Int32(), {32, 32})),
            absl::InvalidArgumentError("input `x` is float32[32,32], but the "
                                       "value is int32[32,32]"));
  EXPECT_EQ(executor->SetInputs({{"x", Random(0)}}),
            absl::InvalidArgumentError("there is no value for input `z`"));
  EXPECT_TRUE(absl::IsNotFound(executor->SetInputs(
      {{"x", Random(0)}, {"z", Random(0)}, {"extra", Random(0)}})));
}

TEST_F(ExecutorTest, RequiresInputsBeforeRunAndRunBeforeOutputs) {
  const auto executor = Make(TestArtifact());
  EXPECT_EQ(executor->Run(),
            absl::FailedPreconditionError("input `x` has no value yet"));
  ASSERT_TRUE(executor->SetInputs({{"x", Random(0)}, {"z", Random(1)}}).ok());
  EXPECT_EQ(executor->GetOutput("y").status(),
            absl::FailedPreconditionError(
                "output `y` has no value before the first run"));
  ASSERT_TRUE(executor->Run().ok());
  EXPECT_TRUE(executor->GetOutput("y").ok());
  EXPECT_TRUE(absl::IsNotFound(executor->GetOutput("x").status()));
}

TEST_F(ExecutorTest, RejectsInvalidArtifacts) {
  Artifact outside = TestArtifact();
  outside.tensors[4].position += 64;
  EXPECT_EQ(CreateError(outside),
            absl::InvalidArgumentError(
                "tensor `u` has 4096 bytes at offset 4160, outside the arena "
                "of 8192 bytes"));
  Artifact hungry = TestArtifact();
  hungry.arena_bytes = int64_t{1} << 44;
  EXPECT_TRUE(absl::IsResourceExhausted(CreateError(hungry)));
  Artifact unknown = TestArtifact();
  unknown.calls[1].symbol = "test_scalf";
  EXPECT_TRUE(absl::IsNotFound(CreateError(unknown)));
  Artifact damaged = TestArtifact();
  damaged.code = "#!/bin/sh";
  EXPECT_TRUE(absl::IsInvalidArgument(CreateError(damaged)));
}

TEST_F(ExecutorTest, ReportsFailingKernelAndRemainsUsable) {
  Artifact artifact = TestArtifact();
  artifact.calls[1].symbol = "test_greedy";
  const auto executor = Make(artifact);
  ASSERT_TRUE(executor->SetInputs({{"x", Random(0)}, {"z", Random(1)}}).ok());
  const absl::Status expected = absl::ResourceExhaustedError(
      "kernel `test_greedy` could not allocate its workspace");
  EXPECT_EQ(executor->Run(), expected);
  EXPECT_EQ(executor->Run(), expected);
  std::vector<int64_t> nanos;
  EXPECT_EQ(executor->RunTimed(&nanos), expected);
}

TEST_F(ExecutorTest, RunsEmptyArtifact) {
  const auto executor = Make(Artifact());
  EXPECT_TRUE(executor->Run().ok());
  EXPECT_TRUE(executor->GetOutputs()->empty());
}

}  // namespace
}  // namespace assay::runtime
