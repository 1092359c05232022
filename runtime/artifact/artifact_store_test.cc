#include "runtime/artifact/artifact_store.h"

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

Artifact Named(const std::string& name) {
  Artifact artifact;
  artifact.metadata["name"] = name;
  return artifact;
}

TEST(ArtifactStoreTest, ReturnsStoredArtifacts) {
  const TempDir dir = TempDir::Create().value();
  const ArtifactStore store(JoinPath(dir.path(), "artifacts"));
  const Artifact a = Named("a"), b = Named("b");
  ASSERT_TRUE(store.Put(a).ok());
  ASSERT_TRUE(store.Put(b).ok());
  ASSERT_TRUE(store.Put(a).ok());
  const auto read = store.Get(Digest(a));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(*read == a);
}

TEST(ArtifactStoreTest, RejectsMissingCorruptAndMalformedDigests) {
  const TempDir dir = TempDir::Create().value();
  const ArtifactStore store(dir.path());
  const Artifact a = Named("a");
  const std::string digest = Digest(a);
  EXPECT_EQ(store.Get(digest).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store.Get("../../etc/passwd").status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::string folder = JoinPath(dir.path(), digest.substr(0, 2));
  ASSERT_TRUE(MakeDirs(folder).ok());
  ASSERT_TRUE(
      WriteArtifact(JoinPath(folder, digest + ".artifact"), Named("another"))
          .ok());
  EXPECT_EQ(store.Get(digest).status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace assay::runtime
