#include "runtime/device/conformance.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/large/large_bytes.h"
#include "runtime/device/testdata/test_kernels.h"

namespace assay::runtime {
namespace {

constexpr int64_t kBytes = kTestCount * 4;

std::vector<float> Ramp(float step) {
  std::vector<float> values(kTestCount);
  for (int64_t i = 0; i < kTestCount; ++i) {
    values[i] = static_cast<float>(i) * step;
  }
  return values;
}

}  // namespace

void DeviceConformanceTest::SetUp() {
  absl::StatusOr<std::unique_ptr<Device>> device = GetParam().make();
  if (absl::IsUnavailable(device.status())) {
    GTEST_SKIP() << device.status();
  }
  ASSERT_TRUE(device.ok()) << device.status();
  device_ = *std::move(device);
}

std::unique_ptr<Buffer> DeviceConformanceTest::Allocate(int64_t bytes) {
  absl::StatusOr<std::unique_ptr<Buffer>> buffer = device_->Allocate(bytes);
  EXPECT_TRUE(buffer.ok()) << buffer.status();
  return *std::move(buffer);
}

std::unique_ptr<Module> DeviceConformanceTest::LoadKernels() {
  absl::StatusOr<std::unique_ptr<Module>> module =
      device_->Load(device_->code_kind(), GetParam().code());
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

TEST_P(DeviceConformanceTest, BuffersAreZeroInitializedAndKeepCopiedBytes) {
  std::vector<std::unique_ptr<Buffer>> buffers;
  for (int64_t bytes : {int64_t{0}, int64_t{1}, kBytes, int64_t{5} << 20}) {
    buffers.push_back(Allocate(bytes));
    EXPECT_EQ(buffers.back()->bytes(), bytes);
    auto for_writing = device_->AllocateForWriting(bytes);
    ASSERT_TRUE(for_writing.ok()) << for_writing.status();
    EXPECT_EQ((*for_writing)->bytes(), bytes);
    buffers.push_back(*std::move(for_writing));
  }
  for (const std::unique_ptr<Buffer>& buffer : buffers) {
    const int64_t bytes = buffer->bytes();
    std::string read(static_cast<size_t>(bytes), 'x');
    const BufferView all = {buffer.get(), 0, bytes};
    ASSERT_TRUE(device_->CopyOut(all, read.data()).ok());
    EXPECT_EQ(read, std::string(static_cast<size_t>(bytes), '\0'));
    const std::string written(static_cast<size_t>(bytes), 'w');
    ASSERT_TRUE(device_->CopyIn(written.data(), all).ok());
    ASSERT_TRUE(device_->CopyOut(all, read.data()).ok());
    EXPECT_EQ(read, written);
  }
}

// Devices may treat large buffers differently.
TEST_P(DeviceConformanceTest, FilledBuffersContainTheBytes) {
  for (size_t size : {size_t{0}, size_t{1}, size_t{100}, kLargeBytes - 1,
                      kLargeBytes, kLargeBytes + 100}) {
    LargeBytes bytes(size, 'a');
    if (size > 0) bytes.back() = 'z';
    const auto buffer = device_->AllocateFilled(bytes);
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    ASSERT_EQ((*buffer)->bytes(), static_cast<int64_t>(size));
    LargeBytes read(size, 'x');
    const BufferView all = {buffer->get(), 0, (*buffer)->bytes()};
    ASSERT_TRUE(device_->CopyOut(all, read.data()).ok());
    EXPECT_TRUE(read == bytes) << size;
    if (size < 128) continue;
    ASSERT_TRUE(device_->CopyIn("bcd", {buffer->get(), 64, 3}).ok());
    ASSERT_TRUE(device_->CopyOut(all, read.data()).ok());
    EXPECT_TRUE(read == bytes.replace(64, 3, "bcd")) << size;
  }
}

TEST_P(DeviceConformanceTest, CopiesOnlyThePartThatTheViewNames) {
  const std::unique_ptr<Buffer> buffer = Allocate(192);
  ASSERT_TRUE(device_->CopyIn("abcd", {buffer.get(), 64, 4}).ok());
  std::string read(192, 'x');
  ASSERT_TRUE(device_->CopyOut({buffer.get(), 0, 192}, read.data()).ok());
  std::string expected(192, '\0');
  expected.replace(64, 4, "abcd");
  EXPECT_EQ(read, expected);
}

TEST_P(DeviceConformanceTest, RejectsImpossibleBuffersAndViews) {
  EXPECT_TRUE(absl::IsInvalidArgument(device_->Allocate(-1).status()));
  for (int64_t bytes :
       {std::numeric_limits<int64_t>::max(), int64_t{1} << 50}) {
    EXPECT_TRUE(absl::IsResourceExhausted(device_->Allocate(bytes).status()));
  }
  const std::unique_ptr<Buffer> buffer = Allocate(128);
  std::string bytes(256, 'x');
  const int64_t most = std::numeric_limits<int64_t>::max();
  for (const BufferView& view :
       std::vector<BufferView>{{nullptr, 0, 0},
                               {buffer.get(), 0, 129},
                               {buffer.get(), 64, 65},
                               {buffer.get(), -64, 64},
                               {buffer.get(), 0, -1},
                               {buffer.get(), 4, 4},
                               {buffer.get(), 192, 0},
                               {buffer.get(), most - 63, 64},
                               {buffer.get(), 64, most}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(device_->CopyIn(bytes.data(), view)));
    EXPECT_TRUE(absl::IsInvalidArgument(device_->CopyOut(view, bytes.data())));
  }
}

TEST_P(DeviceConformanceTest, RunsKernelsInOrder) {
  const std::unique_ptr<Buffer> data = Allocate(3 * kBytes);
  const std::unique_ptr<Module> module = LoadKernels();
  const BufferView a = {data.get(), 0, kBytes};
  const BufferView b = {data.get(), kBytes, kBytes};
  const BufferView c = {data.get(), 2 * kBytes, kBytes};
  const auto add = module->Bind("test_add", {a, b, c});   // c = a + b
  const auto scale = module->Bind("test_scale", {c, b});  // b = 2 c
  ASSERT_TRUE(add.ok()) << add.status();
  ASSERT_TRUE(scale.ok()) << scale.status();
  ASSERT_TRUE(device_->CopyIn(Ramp(1).data(), a).ok());
  ASSERT_TRUE(device_->CopyIn(Ramp(10).data(), b).ok());
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE((*add)->Run().ok());
    ASSERT_TRUE((*scale)->Run().ok());
  }
  ASSERT_TRUE(device_->Synchronize().ok());
  std::vector<float> result(kTestCount);
  ASSERT_TRUE(device_->CopyOut(b, result.data()).ok());
  EXPECT_EQ(result, Ramp(2 * (1 + 2 * (1 + 10))));
}

TEST_P(DeviceConformanceTest, KernelErrorsNameTheKernel) {
  const std::unique_ptr<Module> module = LoadKernels();
  const auto error_of = [&](const std::string& symbol) {
    const auto kernel = module->Bind(symbol, {});
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    const absl::Status run = (*kernel)->Run();
    const absl::Status status = run.ok() ? device_->Synchronize() : run;
    EXPECT_TRUE(absl::StrContains(status.message(), "`" + symbol + "`"));
    return status;
  };
  EXPECT_TRUE(absl::IsInternal(error_of("test_fail")));
  EXPECT_TRUE(absl::IsInternal(error_of("test_parallel_fail")));
  EXPECT_TRUE(absl::IsResourceExhausted(error_of("test_greedy")));
  EXPECT_TRUE(device_->Synchronize().ok());
}

TEST_P(DeviceConformanceTest, BindChecksSymbolAndViews) {
  const std::unique_ptr<Module> module = LoadKernels();
  const absl::Status missing = module->Bind("no_such_kernel", {}).status();
  EXPECT_TRUE(absl::IsNotFound(missing));
  EXPECT_TRUE(absl::StrContains(missing.message(), "`no_such_kernel`"));
  const std::unique_ptr<Buffer> buffer = Allocate(64);
  const BufferView outside = {buffer.get(), 64, 64};
  EXPECT_TRUE(absl::IsInvalidArgument(
      module->Bind("test_add", {outside, outside, outside}).status()));
}

TEST_P(DeviceConformanceTest, FlushingCachesPreservesBuffers) {
  const std::unique_ptr<Buffer> buffer = Allocate(kBytes);
  const BufferView all = {buffer.get(), 0, kBytes};
  ASSERT_TRUE(device_->CopyIn(Ramp(3).data(), all).ok());
  for (int64_t bytes : {int64_t{0}, int64_t{100}, int64_t{1} << 20}) {
    EXPECT_TRUE(device_->FlushCaches(bytes).ok()) << bytes;
  }
  std::vector<float> read(kTestCount);
  ASSERT_TRUE(device_->CopyOut(all, read.data()).ok());
  EXPECT_EQ(read, Ramp(3));
  EXPECT_FALSE(device_->FlushCaches(-1).ok());
}

TEST_P(DeviceConformanceTest, RejectsInvalidCode) {
  for (const std::string& code :
       {std::string(), std::string("hello"), std::string(4096, '\0')}) {
    EXPECT_TRUE(absl::IsInvalidArgument(
        device_->Load(device_->code_kind(), code).status()));
  }
}

TEST_P(DeviceConformanceTest, RejectsCodeOfAnotherKind) {
  EXPECT_EQ(device_->Load("punch cards", GetParam().code()).status(),
            absl::InvalidArgumentError(absl::StrCat(
                "device `", device_->kind(), "` runs code of kind `",
                device_->code_kind(), "`, not of kind `punch cards`")));
}

TEST_P(DeviceConformanceTest, StatesThreadsAndAlignedPlacement) {
  EXPECT_GE(device_->num_threads(), 1);
  const Placement placement = device_->placement();
  EXPECT_GT(placement.page, 0);
  EXPECT_EQ(placement.page % ASSAY_BUFFER_ALIGNMENT, 0);
  EXPECT_GE(placement.staggers, 1);
  EXPECT_LE(placement.staggers * ASSAY_BUFFER_ALIGNMENT, placement.page);
  EXPECT_GT(placement.buffer_multiple, 0);
}

TEST_P(DeviceConformanceTest, ModulesAreIndependent) {
  for (int i = 0; i < 3; ++i) {
    const std::unique_ptr<Module> first = LoadKernels();
    std::unique_ptr<Module> second = LoadKernels();
    second.reset();
    EXPECT_TRUE(first->Bind("test_fail", {}).ok());
  }
}

}  // namespace assay::runtime
