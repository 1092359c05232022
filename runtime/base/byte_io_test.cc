#include "runtime/base/byte_io.h"

#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace assay {
namespace {

std::string Example() {
  ByteWriter w;
  w.U8(0xfe);
  w.U16(0x1234);
  w.I32(-2);
  w.I64(std::numeric_limits<int64_t>::min());
  w.String("name");
  w.AlignTo(64);
  w.Raw("tail");
  return w.Take();
}

TEST(ByteIoTest, ReadsBackWhatWasWritten) {
  const std::string bytes = Example();
  EXPECT_EQ(bytes.size(), 68u);
  EXPECT_EQ(bytes.substr(0, 7), std::string("\xfe\x34\x12\xfe\xff\xff\xff", 7));
  ByteReader r(bytes);
  EXPECT_EQ(r.U8(), 0xfe);
  EXPECT_EQ(r.U16(), 0x1234);
  EXPECT_EQ(r.I32(), -2);
  EXPECT_EQ(r.I64(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(r.String(), "name");
  r.AlignTo(64);
  EXPECT_EQ(r.Raw(4), "tail");
  EXPECT_TRUE(r.ok());
  EXPECT_TRUE(r.AtEnd());
}

TEST(ByteIoTest, RejectsEveryTruncation) {
  const std::string bytes = Example();
  for (size_t size = 0; size < bytes.size(); ++size) {
    ByteReader r(absl::string_view(bytes).substr(0, size));
    r.U8();
    r.U16();
    r.I32();
    r.I64();
    r.String();
    r.AlignTo(64);
    r.Raw(4);
    EXPECT_FALSE(r.ok()) << size;
    EXPECT_EQ(r.U64(), 0u);
    EXPECT_EQ(r.String(), "");
  }
}

TEST(ByteIoTest, RejectsCountsThatExceedTheInput) {
  for (uint64_t count :
       {uint64_t{3}, std::numeric_limits<uint64_t>::max(), uint64_t{1} << 61}) {
    ByteWriter w;
    w.U64(count);
    w.U64(0);
    w.U64(0);
    ByteReader items(w.bytes());
    EXPECT_EQ(items.Count(8), 0u);
    EXPECT_FALSE(items.ok());
    EXPECT_EQ(items.position(), 0u);
  }
  ByteWriter w;
  w.Count(2);
  w.U64(0);
  w.U64(0);
  ByteReader fits(w.bytes());
  EXPECT_EQ(fits.Count(8), 2u);
  EXPECT_TRUE(fits.ok());
}

TEST(ByteIoTest, RejectsNonZeroPadding) {
  ByteReader r(absl::string_view("a\0b\0", 4));
  r.U8();
  r.AlignTo(4);
  EXPECT_FALSE(r.ok());
}

}  // namespace
}  // namespace assay
