#include "suites/tensors/zip_archive.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

// Signatures of the records of an archive, and positions of fields in them.
const char kLocalHeader[] = "PK\x03\x04";
const char kDirectoryEntry[] = "PK\x01\x02";
const char kEndOfDirectory[] = "PK\x05\x06";
constexpr size_t kLocalMethod = 8;
constexpr size_t kLocalSizes = 18;
constexpr size_t kFlags = 8;
constexpr size_t kMethod = 10;
constexpr size_t kCompressedSize = 20;
constexpr size_t kSize = 24;

std::vector<ZipContent> Example() {
  return {{"a", "the first"}, {"../b", ""}, {"c", std::string(100'000, 'c')}};
}

std::string Write(const std::vector<ZipContent>& members) {
  const absl::StatusOr<std::string> bytes = WriteZip(members);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? *bytes : "";
}

// Overwrites bytes of the first record with this signature.
std::string Patch(std::string bytes, const char* signature, size_t field,
                  const std::string& value) {
  const size_t record = bytes.find(signature);
  EXPECT_NE(record, std::string::npos);
  return bytes.replace(record + field, value.size(), value);
}

// Returns the error of opening an archive and reading all members, or an empty
// string. At most 1 MiB of a member is read.
std::string ErrorOf(const std::string& bytes) {
  const absl::StatusOr<ZipArchive> archive = ZipArchive::Open(bytes);
  absl::Status status = archive.status();
  for (size_t i = 0; status.ok() && i < archive->members().size(); ++i) {
    status = archive->Read(i, 1 << 20).status();
  }
  return std::string(status.message());
}

TEST(ZipArchiveTest, RoundTrips) {
  const std::vector<ZipContent> members = Example();
  const std::string bytes = Write(members);
  EXPECT_EQ(bytes, Write(members));
  const absl::StatusOr<ZipArchive> archive = ZipArchive::Open(bytes);
  ASSERT_TRUE(archive.ok()) << archive.status();
  ASSERT_EQ(archive->members().size(), members.size());
  // In reverse order, and twice.
  for (int i = 5; i >= 0; --i) {
    const size_t k = static_cast<size_t>(i) % members.size();
    EXPECT_EQ(archive->members()[k].name, members[k].name);
    EXPECT_EQ(archive->members()[k].size, members[k].content.size());
    const auto content = archive->Read(k, archive->members()[k].size);
    ASSERT_TRUE(content.ok()) << content.status();
    EXPECT_EQ(*content, members[k].content);
  }
}

TEST(ZipArchiveTest, ReadsOnlyWhatIsRequested) {
  const absl::StatusOr<ZipArchive> archive = ZipArchive::Open(Write(Example()));
  ASSERT_TRUE(archive.ok()) << archive.status();
  EXPECT_EQ(*archive->Read(0, 3), "the");
  EXPECT_EQ(*archive->Read(0, 1000), "the first");
  EXPECT_EQ(*archive->Read(0, 0), "");
}

TEST(ZipArchiveTest, CanBeMoved) {
  absl::StatusOr<ZipArchive> archive = ZipArchive::Open(Write(Example()));
  ASSERT_TRUE(archive.ok()) << archive.status();
  const ZipArchive moved = *std::move(archive);
  EXPECT_EQ(*moved.Read(0, 1000), "the first");
}

TEST(ZipArchiveTest, FindsDamage) {
  const std::string bytes = Write(Example());
  ASSERT_EQ(ErrorOf(bytes), "");
  std::string changed = bytes;
  changed[changed.find("the first")] = 'T';
  EXPECT_EQ(ErrorOf(changed), "has a damaged member `a`");
  EXPECT_EQ(ErrorOf("no archive"),
            "is no ZIP archive with members, or is cut short");
  EXPECT_EQ(ErrorOf(""), "is no ZIP archive with members, or is cut short");
  EXPECT_EQ(ErrorOf(Write({})),
            "is no ZIP archive with members, or is cut short");
  EXPECT_EQ(ErrorOf("something else" + Write({})),
            "is no ZIP archive with members, or is cut short");
}

TEST(ZipArchiveTest, RejectsEveryTruncation) {
  const std::string bytes = Write({{"a", "content"}, {"b", "more"}});
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(ErrorOf(bytes.substr(0, size)), "") << size;
  }
}

// Damage anywhere gives an error of one line or an archive.
TEST(ZipArchiveTest, SurvivesDamageAnywhere) {
  const std::string bytes = Write({{"a", "content"}, {"b", "more"}});
  Rng rng(3);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string changed = bytes;
    const int64_t last = static_cast<int64_t>(bytes.size()) - 1;
    for (int64_t i = rng.UniformInt(1, 3); i > 0; --i) {
      changed[static_cast<size_t>(rng.UniformInt(0, last))] =
          static_cast<char>(rng.NextU64());
    }
    const std::string error = ErrorOf(changed);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(ZipArchiveTest, RejectsWhatIsNotSupported) {
  const std::string bytes = Write({{"a", "content"}});
  EXPECT_EQ(ErrorOf(Patch(bytes, kDirectoryEntry, kFlags, "\x01")),
            "has a member `a` that is encrypted");
  EXPECT_EQ(ErrorOf(Patch(bytes, kDirectoryEntry, kMethod, "\x0c")),
            "has a member `a` that is compressed by method 12; only stored and "
            "deflated members are supported");
  EXPECT_EQ(ErrorOf(Patch(bytes, kDirectoryEntry, kSize, "\xff\xff\xff\xff")),
            "has a member `a` that has 2 GiB or more, which is not supported");
  EXPECT_EQ(ErrorOf(Write({{"a", "content"}, {"a", "content"}})),
            "has a member `a` that occurs twice");
}

TEST(ZipArchiveTest, RejectsWrongSizes) {
  const std::string bytes = Write({{"a", "content"}});
  EXPECT_EQ(ErrorOf(Patch(bytes, kDirectoryEntry, kSize, "\x08")),
            "has a member `a` that is stored, but has two different sizes");
  EXPECT_EQ(
      ErrorOf(Patch(bytes, kDirectoryEntry, kCompressedSize, "\xff\xff\xff")),
      "has a member `a` that is cut short");
  // In the directory and in front of the member.
  const std::string sizes("\x09\0\0\0\x09", 5);
  EXPECT_EQ(ErrorOf(Patch(Patch(bytes, kDirectoryEntry, kCompressedSize, sizes),
                          kLocalHeader, kLocalSizes, sizes)),
            "has a damaged member `a`");
}

// A member that is called deflated and is not.
TEST(ZipArchiveTest, RejectsDataThatCannotBeInflated) {
  const std::string bytes =
      Patch(Patch(Write({{"a", "content"}}), kDirectoryEntry, kMethod, "\x08"),
            kLocalHeader, kLocalMethod, "\x08");
  EXPECT_EQ(ErrorOf(bytes), "has a damaged member `a`");
}

TEST(ZipArchiveTest, LimitsMembersAndNames) {
  std::vector<ZipContent> members;
  for (uint64_t i = 0; i <= kMaxZipMembers; ++i) {
    members.push_back({absl::StrCat(i), ""});
  }
  EXPECT_EQ(ErrorOf(Write(members)),
            "has 4097 members; at most 4096 are supported");
  members.pop_back();
  EXPECT_EQ(ErrorOf(Write(members)), "");

  const std::string longest(kMaxZipNameBytes, 'n');
  EXPECT_EQ(ErrorOf(Write({{longest, "x"}})), "");
  for (const std::string& name :
       {longest + "n", std::string(), std::string("a\0b", 3)}) {
    const absl::Status status = WriteZip({{name, "x"}}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("cannot have a member called"));
  }
}

// Bytes in front of the archive, such as a program that unpacks it, belong to
// no member.
TEST(ZipArchiveTest, MayHaveBytesInFront) {
  EXPECT_EQ(ErrorOf("prefix" + Write(Example())), "");
  EXPECT_NE(Write(Example()).find(kEndOfDirectory), std::string::npos);
}

}  // namespace
}  // namespace assay::suites
