#include "runtime/device/shared_buffer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/host_memory_device.h"

namespace assay::runtime {
namespace {

constexpr int64_t kBytes = 3 << 20;

class SharedBufferTest : public testing::Test {
 protected:
  SharedBufferTest()
      : folder_(TempDir::CreateInMemory().value()),
        path_(JoinPath(folder_.path(), "memory")),
        device_(CpuDevice::Create().value()) {}

  std::unique_ptr<Buffer> Allocate(int64_t bytes) {
    auto buffer = device_->Allocate(bytes);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    return *std::move(buffer);
  }
  static char* AddressOf(const std::unique_ptr<Buffer>& buffer) {
    return HostMemoryDevice::Address({buffer.get(), 0, buffer->bytes()});
  }

  const TempDir folder_;
  const std::string path_;
  const std::unique_ptr<Device> device_;
};

// Two buffers of this process stand for those of two processes.
TEST_F(SharedBufferTest, BuffersOfOneFileAreTheSameMemory) {
  ShareFirstBuffer(path_);
  const std::unique_ptr<Buffer> first = Allocate(kBytes);
  EXPECT_EQ(AddressOf(first)[kBytes - 1], 0);
  AddressOf(first)[5] = 42;
  ShareFirstBuffer(path_);
  // The second process needs more, and does not clear what is there.
  const std::unique_ptr<Buffer> second = Allocate(2 * kBytes);
  EXPECT_EQ(AddressOf(second)[5], 42);
  AddressOf(second)[kBytes - 1] = 7;
  EXPECT_EQ(AddressOf(first)[kBytes - 1], 7);
  EXPECT_NE(AddressOf(first), AddressOf(second));
}

TEST_F(SharedBufferTest, OnlyTheFirstBufferIsShared) {
  ShareFirstBuffer(path_);
  const std::unique_ptr<Buffer> shared = Allocate(kBytes);
  const std::unique_ptr<Buffer> own = Allocate(kBytes);
  AddressOf(own)[0] = 1;
  EXPECT_EQ(AddressOf(shared)[0], 0);
}

TEST_F(SharedBufferTest, MemoryIsPrivateIfTheFileCannotBeMade) {
  ShareFirstBuffer(JoinPath(folder_.path(), "no such folder/memory"));
  const std::unique_ptr<Buffer> buffer = Allocate(kBytes);
  EXPECT_EQ(AddressOf(buffer)[0], 0);
}

}  // namespace
}  // namespace assay::runtime
