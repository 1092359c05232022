#include "rpc/server/blob_store.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Kind = BlobState::Kind;

constexpr int64_t kSecond = 1000000000;

// Sets the limit on the size of files that this process writes, which makes
// writing fail as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &previous_);
    rlimit limit = previous_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &previous_);
    signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit previous_ = {};
  void (*handler_)(int) = SIG_DFL;
};

class BlobStoreTest : public ::testing::Test {
 protected:
  BlobStoreTest() : dir_(*TempDir::CreateInMemory("blob_store_test")) {
    limits_.max_blob_bytes = 1000;
    limits_.max_total_bytes = 3000;
    limits_.max_blobs = 10;
    limits_.max_uploads = 3;
    limits_.max_upload_age_nanos = 60 * kSecond;
    limits_.max_unused_age_nanos = 3600 * kSecond;
    Reopen();
  }

  // Closes the store, as the end of the process does, and opens it again.
  void Reopen() {
    store_.reset();
    auto store = BlobStore::Open(dir_.path(), limits_, &clock_);
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }

  std::string PathOf(absl::string_view name) const {
    return JoinPath(dir_.path(), name);
  }
  void Write(const std::string& name, absl::string_view contents) {
    ASSERT_TRUE(WriteFileAtomic(PathOf(name), contents).ok());
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(dir_.path())) {
      names.push_back(file.path().filename().string());
    }
    return names;
  }

  // Uploads in chunks, from where the upload stopped. Returns the digest.
  std::string Upload(const std::string& contents, size_t chunk = 1 << 20) {
    const std::string digest = Sha256Hex(contents);
    BlobState state = *store_->Find(digest);
    while (state.kind != Kind::kComplete) {
      const auto next =
          store_->Append(digest, Size(contents), state.bytes,
                         absl::string_view(contents).substr(
                             static_cast<size_t>(state.bytes), chunk));
      EXPECT_TRUE(next.ok()) << next.status();
      if (!next.ok()) break;
      state = *next;
    }
    return digest;
  }
  static int64_t Size(const std::string& contents) {
    return static_cast<int64_t>(contents.size());
  }

  // Does not count as a use, unlike Find().
  bool HasFile(const std::string& digest) const {
    return FileExists(PathOf(digest));
  }
  void ExpectState(const std::string& digest, Kind kind, int64_t bytes = 0,
                   int64_t size = 0) {
    const auto state = store_->Find(digest);
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_EQ(state->kind, kind);
    EXPECT_EQ(state->bytes, bytes);
    EXPECT_EQ(state->size, size);
  }
  void ExpectUsage(int64_t blobs, int64_t uploads, int64_t bytes) {
    const BlobUsage usage = store_->usage();
    EXPECT_EQ(usage.blobs, blobs);
    EXPECT_EQ(usage.uploads, uploads);
    EXPECT_EQ(usage.bytes, bytes);
  }

  TempDir dir_;
  BlobLimits limits_;
  FakeClock clock_;
  std::unique_ptr<BlobStore> store_;
};

TEST_F(BlobStoreTest, UploadsInChunksOfAnySize) {
  for (size_t chunk : {1, 3, 9, 10, 11}) {
    const std::string contents = absl::StrCat("contents", 10 + chunk);
    const std::string digest = Sha256Hex(contents);
    ExpectState(digest, Kind::kAbsent);
    Upload(contents, chunk);
    ExpectState(digest, Kind::kComplete, 10, 10);
    EXPECT_EQ(*ReadFile(PathOf(digest)), contents);
  }
  ExpectUsage(5, 0, 50);
  EXPECT_EQ(Files().size(), 5u);
}

TEST_F(BlobStoreTest, ResumesAfterEachChunk) {
  for (size_t cut = 1; cut <= 9; ++cut) {
    const std::string contents = absl::StrCat("contents", 10 + cut);
    const std::string digest = Sha256Hex(contents);
    ASSERT_TRUE(store_->Append(digest, 10, 0, contents.substr(0, cut)).ok());
    ExpectState(digest, Kind::kPartial, static_cast<int64_t>(cut), 10);
    EXPECT_FALSE(HasFile(digest));
    Reopen();
    ExpectState(digest, Kind::kPartial, static_cast<int64_t>(cut), 10);
    ExpectUsage(static_cast<int64_t>(cut) - 1, 1,
                static_cast<int64_t>(cut) * 10);
    Upload(contents, 4);
    EXPECT_EQ(*ReadFile(PathOf(digest)), contents);
  }
}

TEST_F(BlobStoreTest, AcceptsEmptyBlobsAndChunks) {
  const std::string empty = Upload("");
  ExpectState(empty, Kind::kComplete, 0, 0);
  EXPECT_EQ(*ReadFile(PathOf(empty)), "");
  const std::string digest = Sha256Hex("abc");
  ASSERT_TRUE(store_->Append(digest, 3, 0, "").ok());
  ASSERT_TRUE(store_->Append(digest, 3, 0, "ab").ok());
  const auto state = store_->Append(digest, 3, 2, "");
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->kind, Kind::kPartial);
  EXPECT_EQ(state->bytes, 2);
}

TEST_F(BlobStoreTest, RepeatedChunkOfCompleteBlobIsIgnored) {
  const std::string digest = Upload("abc");
  const auto state = store_->Append(digest, 3, 2, "x");
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->kind, Kind::kComplete);
  EXPECT_EQ(*ReadFile(PathOf(digest)), "abc");
  EXPECT_TRUE(
      absl::IsFailedPrecondition(store_->Append(digest, 4, 0, "x").status()));
}

TEST_F(BlobStoreTest, WrongDigestRemovesTheUpload) {
  const std::string digest = Sha256Hex("right");
  ASSERT_TRUE(store_->Append(digest, 5, 0, "wro").ok());
  EXPECT_TRUE(absl::IsDataLoss(store_->Append(digest, 5, 3, "ng").status()));
  ExpectState(digest, Kind::kAbsent);
  ExpectUsage(0, 0, 0);
  EXPECT_THAT(Files(), IsEmpty());
  Upload("right");
  ExpectState(digest, Kind::kComplete, 5, 5);
}

TEST_F(BlobStoreTest, RejectsOtherSizes) {
  const std::string digest = Sha256Hex("abcdef");
  ASSERT_TRUE(store_->Append(digest, 6, 0, "abc").ok());
  for (int round = 0; round < 2; ++round) {
    for (int64_t size : {5, 7}) {
      const auto status = store_->Append(digest, size, 3, "d").status();
      EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr("was started with 6 bytes"));
    }
    Reopen();  // the size is remembered
  }
  EXPECT_THAT(Files(), ElementsAre(digest + ".6.part"));
  EXPECT_EQ(*ReadFile(PathOf(digest + ".6.part")), "abc");
}

TEST_F(BlobStoreTest, RejectsOtherOffsets) {
  const std::string digest = Sha256Hex("abcdef");
  const auto absent = store_->Append(digest, 6, 1, "b").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(absent)) << absent;
  EXPECT_THAT(std::string(absent.message()), HasSubstr("at offset 0,"));
  ASSERT_TRUE(store_->Append(digest, 6, 0, "abc").ok());
  for (int64_t offset : {0, 2, 4, 6}) {
    const auto status = store_->Append(digest, 6, offset, "").status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("at offset 3,"));
    ExpectState(digest, Kind::kPartial, 3, 6);
  }
  Upload("abcdef");
}

TEST_F(BlobStoreTest, RejectsChunksBeyondTheSize) {
  const std::string digest = Sha256Hex("abc");
  const int64_t huge = std::numeric_limits<int64_t>::max();
  const std::vector<std::pair<int64_t, int64_t>> sizes_and_offsets = {
      {3, 2}, {3, 4}, {1, 0}, {-1, 0}, {3, -1}, {-1, -1}, {huge, huge}};
  for (const auto& [size, offset] : sizes_and_offsets) {
    const auto status = store_->Append(digest, size, offset, "ab").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(BlobStoreTest, RejectsNamesThatAreNotDigests) {
  const std::string digest = Sha256Hex("abc");
  std::string with_nul = digest;
  with_nul[10] = '\0';
  std::string upper_case = digest;
  upper_case[0] = 'B';
  for (const std::string& name :
       {std::string(), std::string("."), std::string("../../etc/passwd"),
        "../" + digest, "../" + digest.substr(3), "/" + digest.substr(1),
        digest.substr(1), digest + "0", digest + "\n", digest + ".3.part",
        with_nul, upper_case, std::string(64, 'g'), std::string(100000, 'a')}) {
    EXPECT_TRUE(absl::IsInvalidArgument(store_->Find(name).status())) << name;
    EXPECT_TRUE(
        absl::IsInvalidArgument(store_->Append(name, 3, 0, "abc").status()));
    EXPECT_TRUE(absl::IsInvalidArgument(store_->Discard(name)));
    EXPECT_TRUE(absl::IsInvalidArgument(store_->Pin(name).status()));
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(BlobStoreTest, LimitsTheSizeOfBlobs) {
  Upload(std::string(1000, 'a'));
  const std::string larger(1001, 'a');
  const auto status =
      store_->Append(Sha256Hex(larger), 1001, 0, larger).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("limit of 1000 bytes"));
  const int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(absl::IsResourceExhausted(
      store_->Append(Sha256Hex(larger), huge, 0, larger).status()));
  ExpectUsage(1, 0, 1000);
  EXPECT_EQ(Files().size(), 1u);
}

TEST_F(BlobStoreTest, LimitsTheNumberOfUploads) {
  for (const char* contents : {"ab", "cd", "ef"}) {
    ASSERT_TRUE(store_->Append(Sha256Hex(contents), 2, 0, "").ok());
    clock_.Advance(1);
  }
  // The other two were written later, one of them after the first one.
  ASSERT_TRUE(store_->Append(Sha256Hex("ab"), 2, 0, "a").ok());
  ASSERT_TRUE(store_->Append(Sha256Hex("gh"), 2, 0, "g").ok());
  ExpectUsage(0, 3, 6);
  ExpectState(Sha256Hex("cd"), Kind::kAbsent);
  ExpectState(Sha256Hex("ab"), Kind::kPartial, 1, 2);
  EXPECT_EQ(Files().size(), 3u);
  Upload("cd");
  Upload("gh");
}

// Someone claims all the space there is, and sends nothing.
TEST_F(BlobStoreTest, ClaimsDoNotKeepOthersFromUploading) {
  for (const char* contents : {"a", "b", "c"}) {
    ASSERT_TRUE(store_->Append(Sha256Hex(contents), 1000, 0, "").ok());
    clock_.Advance(1);
  }
  ExpectUsage(0, 3, 3000);
  const std::string honest = Upload(std::string(700, 'h'), 100);
  EXPECT_TRUE(HasFile(honest));
  ExpectUsage(1, 2, 2700);
  ExpectState(Sha256Hex("a"), Kind::kAbsent);
  ExpectState(Sha256Hex("c"), Kind::kPartial, 0, 1000);
  // The client of the removed one begins again.
  EXPECT_TRUE(absl::IsFailedPrecondition(
      store_->Append(Sha256Hex("a"), 1000, 1, "x").status()));
}

TEST_F(BlobStoreTest, MakesRoomByRemovingTheLeastRecentlyUsedBlobs) {
  const std::string a = Upload(std::string(1000, 'a'));
  const std::string b = Upload(std::string(1000, 'b'));
  const std::string c = Upload(std::string(1000, 'c'));
  ASSERT_TRUE(store_->Find(a).ok());
  // The room is reserved by the first chunk.
  const std::string d(500, 'd');
  ASSERT_TRUE(store_->Append(Sha256Hex(d), 500, 0, "d").ok());
  EXPECT_FALSE(HasFile(b));
  EXPECT_TRUE(HasFile(a));
  EXPECT_TRUE(HasFile(c));
  ExpectUsage(2, 1, 2500);
  Upload(std::string(501, 'e'));
  EXPECT_FALSE(HasFile(c));
  EXPECT_TRUE(HasFile(a));
  ExpectState(c, Kind::kAbsent);
  Upload(d);
  ExpectUsage(3, 0, 2001);
}

TEST_F(BlobStoreTest, LimitsTheNumberOfBlobs) {
  limits_.max_blobs = 3;
  Reopen();
  const std::string a = Upload("a");
  const std::string b = Upload("b");
  ASSERT_TRUE(store_->Append(Sha256Hex("cc"), 2, 0, "c").ok());
  Upload("d");
  EXPECT_FALSE(HasFile(a));
  EXPECT_TRUE(HasFile(b));
  ExpectUsage(2, 1, 4);
}

TEST_F(BlobStoreTest, UploadThatCannotFitRemovesNothing) {
  std::vector<BlobPin> pins;
  for (const char c : {'a', 'b', 'c'}) {
    pins.push_back(*store_->Pin(Upload(std::string(900, c))));
  }
  ASSERT_TRUE(store_->Append(Sha256Hex("dd"), 100, 0, "d").ok());
  Upload(std::string(100, 'e'));
  ExpectUsage(4, 1, 2900);
  // It would not fit without the upload and the blob that nobody uses.
  const auto status =
      store_->Append(Sha256Hex("too much"), 301, 0, "t").status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("2700 bytes in 3 blobs are in use"));
  ExpectUsage(4, 1, 2900);
  EXPECT_EQ(Files().size(), 5u);
}

TEST_F(BlobStoreTest, ExpiredUploadsAreCollected) {
  const std::string a = Sha256Hex("aa");
  const std::string b = Sha256Hex("bb");
  ASSERT_TRUE(store_->Append(a, 2, 0, "a").ok());
  ASSERT_TRUE(store_->Append(b, 2, 0, "").ok());
  clock_.Advance(60 * kSecond);
  EXPECT_EQ(store_->Collect().uploads, 0);
  ASSERT_TRUE(store_->Append(b, 2, 0, "b").ok());
  clock_.Advance(1);
  EXPECT_EQ(store_->Collect().uploads, 1);
  ExpectState(a, Kind::kAbsent);
  ExpectState(b, Kind::kPartial, 1, 2);
  // The age counts from Open() at most.
  Reopen();
  clock_.Advance(60 * kSecond);
  EXPECT_EQ(store_->Collect().uploads, 0);
  clock_.Advance(1);
  EXPECT_EQ(store_->Collect().uploads, 1);
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(BlobStoreTest, UnusedBlobsAreCollected) {
  const std::string a = Upload("a");
  const std::string b = Upload("b");
  const std::string c = Upload("c");
  auto pin = std::make_optional(*store_->Pin(c));
  clock_.Advance(3600 * kSecond);
  EXPECT_EQ(store_->Collect().blobs, 0);
  ASSERT_TRUE(store_->Find(a).ok());
  clock_.Advance(1);
  const Collected collected = store_->Collect();
  EXPECT_EQ(collected.blobs, 1);
  EXPECT_EQ(collected.failures, 0);
  EXPECT_FALSE(HasFile(b));
  EXPECT_TRUE(HasFile(a));
  // The end of a pin is a use.
  pin.reset();
  EXPECT_EQ(store_->Collect().blobs, 0);
  clock_.Advance(3600 * kSecond + 1);
  EXPECT_EQ(store_->Collect().blobs, 2);
  ExpectUsage(0, 0, 0);
}

TEST_F(BlobStoreTest, PinnedBlobsAreNeverRemoved) {
  EXPECT_TRUE(absl::IsNotFound(store_->Pin(Sha256Hex("a")).status()));
  const std::string a = Upload(std::string(1000, 'a'));
  auto pin = store_->Pin(a);
  ASSERT_TRUE(pin.ok()) << pin.status();
  EXPECT_EQ(pin->path(), PathOf(a));
  auto second = std::make_optional(*store_->Pin(a));
  for (char c = 'b'; c < 'h'; ++c) Upload(std::string(1000, c));
  clock_.Advance(7200 * kSecond);
  EXPECT_EQ(store_->Collect().blobs, 2);
  EXPECT_TRUE(HasFile(a));
  second.reset();
  clock_.Advance(7200 * kSecond);
  EXPECT_EQ(store_->Collect().blobs, 0);
  // The old value of an assignment is released.
  BlobPin other = *store_->Pin(Upload("b"));
  other = *std::move(pin);
  EXPECT_EQ(other.path(), PathOf(a));
  clock_.Advance(7200 * kSecond);
  EXPECT_EQ(store_->Collect().blobs, 1);
  EXPECT_TRUE(HasFile(a));
}

TEST_F(BlobStoreTest, UnfinishedBlobsCannotBePinned) {
  const std::string digest = Sha256Hex("abc");
  ASSERT_TRUE(store_->Append(digest, 3, 0, "ab").ok());
  EXPECT_TRUE(absl::IsNotFound(store_->Pin(digest).status()));
}

TEST_F(BlobStoreTest, OrderOfUseSurvivesRestart) {
  const std::string a = Upload("a");
  const std::string b = Upload("b");
  const std::string c = Upload("c");
  const std::string d = Upload("d");
  ASSERT_TRUE(store_->Pin(b).ok());
  ASSERT_TRUE(store_->Find(a).ok());
  limits_.max_blobs = 3;
  Reopen();  // the limits are lower now, and Open() removes nothing
  ExpectUsage(4, 0, 4);
  EXPECT_EQ(store_->Collect().blobs, 1);
  EXPECT_FALSE(HasFile(c));
  limits_.max_total_bytes = 1;
  Reopen();
  EXPECT_EQ(store_->Collect().blobs, 2);
  EXPECT_THAT(Files(), ElementsAre(a));
}

TEST_F(BlobStoreTest, ModificationTimesInTheFutureKeepTheirOrder) {
  const std::string a = Upload("a");
  const std::string b = Upload("b");
  const std::string c = Upload("c");
  const absl::Time future = absl::Now() + absl::Hours(24 * 365);
  absl::Duration offset;
  for (const std::string& digest : {c, a, b}) {
    const timespec time = absl::ToTimespec(future + offset);
    const timespec times[2] = {time, time};
    ASSERT_EQ(utimensat(AT_FDCWD, PathOf(digest).c_str(), times, 0), 0);
    offset += absl::Seconds(10);
  }
  Reopen();
  EXPECT_EQ(store_->Collect().blobs, 0);
  for (const std::string& digest : {a, b, c}) {
    struct stat info;
    ASSERT_EQ(stat(PathOf(digest).c_str(), &info), 0);
    EXPECT_LT(absl::TimeFromTimespec(info.st_mtim),
              absl::Now() + absl::Seconds(60));
  }
  limits_.max_blobs = 2;
  Reopen();
  EXPECT_EQ(store_->Collect().blobs, 1);
  EXPECT_THAT(Files(), UnorderedElementsAre(a, b));
  limits_.max_blobs = 1;
  Reopen();
  EXPECT_EQ(store_->Collect().blobs, 1);
  EXPECT_THAT(Files(), ElementsAre(b));
}

TEST_F(BlobStoreTest, RecoversFromACrashAtAnyPoint) {
  store_.reset();
  const std::string contents = "contents";
  const std::string partial = Sha256Hex(contents);
  Write(partial + ".8.part", "cont");
  const std::string created = Sha256Hex("created");
  Write(created + ".7.part", "");
  const std::string not_renamed = Sha256Hex("not renamed");
  Write(not_renamed + ".11.part", "not renamed");
  const std::string damaged = Sha256Hex("damaged");
  Write(damaged + ".7.part", "dam\1\2ed");
  const std::string empty = Sha256Hex("");
  Write(empty + ".0.part", "");
  const std::string complete = Sha256Hex("complete");
  Write(complete, "complete");
  // These cannot be continued.
  Write(complete + ".8.part", "com");
  Write(partial + ".9.part", "conten");
  Write(Sha256Hex("long") + ".3.part", "long");
  Write(Sha256Hex("large") + ".1001.part", "la");
  // These are not files of a blob store.
  Write("README", "hello");
  Write("abc.part", "abc");
  Write(created + ".07.part", "cr");
  const std::string folder = Sha256Hex("folder");
  ASSERT_TRUE(MakeDirs(PathOf(folder)).ok());

  Reopen();
  EXPECT_THAT(Files(),
              UnorderedElementsAre(partial + ".8.part", created + ".7.part",
                                   not_renamed, empty, complete, "README",
                                   "abc.part", created + ".07.part", folder));
  ExpectUsage(3, 2, 11 + 0 + 8 + 8 + 7);
  ExpectState(partial, Kind::kPartial, 4, 8);
  ExpectState(created, Kind::kPartial, 0, 7);
  ExpectState(not_renamed, Kind::kComplete, 11, 11);
  ExpectState(empty, Kind::kComplete, 0, 0);
  ExpectState(complete, Kind::kComplete, 8, 8);
  ExpectState(damaged, Kind::kAbsent);
  ExpectState(folder, Kind::kAbsent);
  Upload(contents, 3);
  Upload("created", 3);
  Upload("damaged", 3);
  EXPECT_EQ(*ReadFile(PathOf(damaged)), "damaged");
  ExpectUsage(6, 0, 11 + 0 + 8 + 8 + 7 + 7);
}

TEST_F(BlobStoreTest, DamageOfAnUnfinishedUploadIsFoundAtItsEnd) {
  store_.reset();
  const std::string digest = Sha256Hex("contents");
  Write(digest + ".8.part", std::string(4, '\0'));
  Reopen();
  EXPECT_TRUE(absl::IsDataLoss(store_->Append(digest, 8, 4, "ents").status()));
  Upload("contents", 4);
  EXPECT_EQ(*ReadFile(PathOf(digest)), "contents");
}

TEST_F(BlobStoreTest, OneStoreOpensAFolder) {
  const auto second = BlobStore::Open(dir_.path(), limits_, &clock_);
  EXPECT_TRUE(absl::IsUnavailable(second.status())) << second.status();
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(dir_.path()));
  Reopen();
}

TEST_F(BlobStoreTest, OpenRejectsBadLimitsAndFolders) {
  for (int64_t BlobLimits::* const limit :
       {&BlobLimits::max_blob_bytes, &BlobLimits::max_total_bytes,
        &BlobLimits::max_blobs, &BlobLimits::max_uploads,
        &BlobLimits::max_upload_age_nanos, &BlobLimits::max_unused_age_nanos}) {
    BlobLimits limits = limits_;
    limits.*limit = 0;
    EXPECT_TRUE(absl::IsInvalidArgument(
        BlobStore::Open(PathOf("sub"), limits, &clock_).status()));
  }
  Write("file", "");
  EXPECT_FALSE(BlobStore::Open(PathOf("file"), limits_, &clock_).ok());
  EXPECT_TRUE(BlobStore::Open(PathOf("a/b"), limits_, &clock_).ok());
}

TEST_F(BlobStoreTest, DiscardRemovesUnfinishedUploads) {
  const std::string digest = Sha256Hex("abc");
  EXPECT_TRUE(absl::IsNotFound(store_->Discard(digest)));
  ASSERT_TRUE(store_->Append(digest, 100, 0, "ab").ok());
  EXPECT_TRUE(store_->Discard(digest).ok());
  ExpectUsage(0, 0, 0);
  EXPECT_THAT(Files(), IsEmpty());
  Upload("abc");
  EXPECT_TRUE(absl::IsNotFound(store_->Discard(digest)));
  EXPECT_TRUE(HasFile(digest));
}

TEST_F(BlobStoreTest, ForgetsBlobsThatOtherProgramsRemovedOrTruncated) {
  const std::string a = Upload("aaa");
  const std::string b = Upload("bbb");
  const std::string c = Upload("ccc");
  ASSERT_EQ(unlink(PathOf(a).c_str()), 0);
  ASSERT_EQ(truncate(PathOf(b).c_str(), 1), 0);
  ASSERT_EQ(truncate(PathOf(c).c_str(), 1), 0);
  ExpectState(a, Kind::kAbsent);
  EXPECT_TRUE(absl::IsNotFound(store_->Pin(b).status()));
  Upload("ccc");
  Upload("bbb", 1);
  EXPECT_EQ(*ReadFile(PathOf(b)), "bbb");
  EXPECT_EQ(*ReadFile(PathOf(c)), "ccc");
  ExpectUsage(2, 0, 6);
}

TEST_F(BlobStoreTest, FullDiskKeepsTheUpload) {
  limits_.max_blob_bytes = 200000;
  limits_.max_total_bytes = 200000;
  Reopen();
  std::string contents;
  for (int i = 0; i < 20000; ++i) absl::StrAppend(&contents, 10000 + i);
  const std::string digest = Sha256Hex(contents);
  ASSERT_TRUE(
      store_->Append(digest, 100000, 0, contents.substr(0, 40000)).ok());
  absl::Status status;
  {
    const FileSizeLimit limit(65536);
    status =
        store_->Append(digest, 100000, 40000, contents.substr(40000)).status();
  }
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  ExpectState(digest, Kind::kPartial, 40000, 100000);
  EXPECT_TRUE(*ReadFile(PathOf(digest + ".100000.part")) ==
              contents.substr(0, 40000));
  Upload(contents, 30000);
  EXPECT_TRUE(*ReadFile(PathOf(digest)) == contents);
}

TEST_F(BlobStoreTest, SecondWriterIsUnavailableAndChangedFileIsAnError) {
  const std::string digest = Sha256Hex("abcdef");
  ASSERT_TRUE(store_->Append(digest, 6, 0, "abc").ok());
  // Opening a FIFO blocks the writer until somebody reads it.
  const std::string part = PathOf(digest + ".6.part");
  ASSERT_EQ(unlink(part.c_str()), 0);
  ASSERT_EQ(mkfifo(part.c_str(), 0600), 0);
  absl::Status first;
  std::thread writer(
      [&] { first = store_->Append(digest, 6, 3, "def").status(); });
  // The offset is wrong, so this call never writes itself.
  absl::Status second;
  do {
    std::this_thread::yield();
    second = store_->Append(digest, 6, 0, "abc").status();
  } while (absl::IsFailedPrecondition(second));
  EXPECT_TRUE(absl::IsUnavailable(second)) << second;
  EXPECT_THAT(std::string(second.message()), HasSubstr("at offset 3 or later"));
  EXPECT_TRUE(absl::IsUnavailable(store_->Discard(digest)));
  clock_.Advance(3600 * kSecond);
  EXPECT_EQ(store_->Collect().uploads, 0);
  ExpectState(digest, Kind::kPartial, 3, 6);
  const int reader = open(part.c_str(), O_RDONLY | O_NONBLOCK);
  writer.join();
  close(reader);
  EXPECT_TRUE(absl::IsInternal(first)) << first;
  ExpectState(digest, Kind::kAbsent);
  Upload("abcdef");
}

using BlobStoreDeathTest = BlobStoreTest;

TEST_F(BlobStoreDeathTest, StoreOutlivesItsPins) {
  const auto pin = store_->Pin(Upload("abc"));
  ASSERT_TRUE(pin.ok()) << pin.status();
  EXPECT_DEATH(store_.reset(), "is pinned");
}

}  // namespace
}  // namespace assay::rpc
