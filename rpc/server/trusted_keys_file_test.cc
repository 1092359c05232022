#include "rpc/server/trusted_keys_file.h"

#include <unistd.h>

#include <string>

#include "gtest/gtest.h"
#include "rpc/security/signature.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class TrustedKeysFileTest : public testing::Test {
 protected:
  void Trust(const SigningKey& key) {
    ASSERT_TRUE(WriteFileAtomic(path_, key.PublicPem().value()).ok());
  }
  absl::StatusCode CodeOf(TrustedKeysFile& file, const SigningKey& key) {
    const std::string signature =
        key.Sign(SignaturePurpose::kArtifact, "digest").value();
    return file.Verify(SignaturePurpose::kArtifact, "digest", signature)
        .status()
        .code();
  }

  const TempDir folder_ = TempDir::Create().value();
  const std::string path_ = JoinPath(folder_.path(), "keys.pem");
  const SigningKey ann_ = SigningKey::Generate().value();
  const SigningKey bob_ = SigningKey::Generate().value();
  FakeClock clock_;
};

TEST_F(TrustedKeysFileTest, AChangedFileIsReadAgain) {
  Trust(ann_);
  const auto file = TrustedKeysFile::Open(path_, &clock_);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kOk);
  EXPECT_EQ(CodeOf(**file, bob_), absl::StatusCode::kPermissionDenied);
  Trust(bob_);
  clock_.Advance(kSecond);
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf(**file, bob_), absl::StatusCode::kOk);
}

TEST_F(TrustedKeysFileTest, ABadFileLeavesTheLastGoodOne) {
  Trust(ann_);
  const auto file = TrustedKeysFile::Open(path_, &clock_);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(WriteFileAtomic(path_, "nonsense").ok());
  clock_.Advance(kSecond);
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kOk);
  EXPECT_TRUE(absl::IsInvalidArgument((*file)->Check().error));
  unlink(path_.c_str());
  clock_.Advance(kSecond);
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kOk);
  EXPECT_TRUE(absl::IsNotFound((*file)->Check().error));
  Trust(bob_);
  clock_.Advance(kSecond);
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE((*file)->Check().error.ok());
}

TEST_F(TrustedKeysFileTest, FileThatStaysBrokenMeansNobody) {
  Trust(ann_);
  const auto file = TrustedKeysFile::Open(path_, &clock_);
  ASSERT_TRUE(file.ok()) << file.status();
  unlink(path_.c_str());
  clock_.Advance(59 * kSecond);
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kOk);
  EXPECT_TRUE((*file)->Check().usable);
  clock_.Advance(kSecond);
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kPermissionDenied);
  EXPECT_FALSE((*file)->Check().usable);
  Trust(ann_);
  clock_.Advance(kSecond);
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kOk);
  // A good file that does not change stays good.
  for (int i = 0; i < 200; ++i) {
    clock_.Advance(kSecond);
    EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kOk);
  }
}

TEST_F(TrustedKeysFileTest, FileWithoutKeysMeansNobody) {
  Trust(ann_);
  const auto file = TrustedKeysFile::Open(path_, &clock_);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(WriteFileAtomic(path_, "# ann has left\n").ok());
  clock_.Advance(kSecond);
  EXPECT_EQ(CodeOf(**file, ann_), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE((*file)->Check().error.ok());
}

TEST_F(TrustedKeysFileTest, TheFirstFileMustBeGood) {
  EXPECT_TRUE(absl::IsNotFound(TrustedKeysFile::Open(path_).status()));
  ASSERT_TRUE(WriteFileAtomic(path_, "").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(TrustedKeysFile::Open(path_).status()));
}

}  // namespace
}  // namespace assay::rpc
