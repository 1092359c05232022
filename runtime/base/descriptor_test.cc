#include "runtime/base/descriptor.h"

#include <fcntl.h>

#include <utility>

#include "gtest/gtest.h"

namespace assay {
namespace {

bool IsOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

TEST(DescriptorTest, ClosesOnce) {
  int fd = -1;
  {
    Descriptor first(open("/dev/null", O_RDONLY | O_CLOEXEC));
    fd = first.get();
    ASSERT_TRUE(IsOpen(fd));
    const Descriptor second = std::move(first);
    EXPECT_EQ(first.get(), -1);
    EXPECT_EQ(second.get(), fd);
    EXPECT_TRUE(IsOpen(fd));
  }
  EXPECT_FALSE(IsOpen(fd));
}

TEST(DescriptorTest, CloseTellsErrors) {
  Descriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(file.Close());
  EXPECT_EQ(file.get(), -1);
  Descriptor missing(open("/no/such/file", O_RDONLY | O_CLOEXEC));
  EXPECT_LT(missing.get(), 0);
  EXPECT_FALSE(missing.Close());
}

}  // namespace
}  // namespace assay
