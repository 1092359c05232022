#include "runtime/artifact/artifact.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/sha256.h"

namespace assay::runtime {
namespace {

Artifact Example() {
  Artifact a;
  a.metadata = {{kMetaModel, "tiny"}, {kMetaTargetTriple, "x86_64-linux-gnu"}};
  a.tensors = {
      {"x", DType::Float32(), {2, 3}, Location::kInput, 0},
      {"w", DType::Int(8), {5}, Location::kParam, 64},
      {"t", DType::Float32(), {2, 3}, Location::kArena, 128},
      {"y", DType::Bool(), {}, Location::kOutput, 0},
      {"s", DType::Int(8), {40}, Location::kSetup, 64},
  };
  a.arena_bytes = 192;
  a.setup_bytes = 128;
  a.setup = {{"e0", {1}, {4}, {"Conv_0"}, "encode", 3, 45, "ef56"},
             {"e1", {4}, {}, {}, "encode", 0, 0, ""}};
  a.calls = {
      {"k0", {0, 1}, {2}, {"Conv_0", "Relu_1"}, "conv2d+relu", 12, 99, "ab12"},
      {"k1", {2}, {3}, {}, "any", 6, 25, ""}};
  a.params = std::string(100, 'p');
  a.code_kind = "elf";
  a.code = "not really an ELF file";
  return a;
}

// Writes the correct digest of the contents into the header, so that modified
// bytes get past the digest check.
std::string Sealed(std::string bytes) {
  Sha256 hash;
  hash.Update(absl::string_view(bytes).substr(0, 16));
  hash.Update(absl::string_view(bytes).substr(48));
  const Sha256Digest digest = hash.Finish();
  bytes.replace(16, 32, reinterpret_cast<const char*>(digest.data()), 32);
  return bytes;
}

TEST(ArtifactTest, RoundTrips) {
  const Artifact a = Example();
  const std::string bytes = Serialize(a);
  const absl::StatusOr<Artifact> parsed = Parse(bytes);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(*parsed == a);
  EXPECT_EQ(Serialize(*parsed), bytes);
  EXPECT_EQ(Serialize(*Parse(Serialize(Artifact()))), Serialize(Artifact()));
  EXPECT_TRUE(*ParseInPlace(LargeBytes(bytes)) == a);
}

TEST(ArtifactTest, AlignsBlobsInTheFile) {
  const std::string bytes = Serialize(Example());
  EXPECT_EQ(bytes.find(std::string(100, 'p')) % 64, 0u);
  EXPECT_EQ(bytes.find("not really an ELF file") % 64, 0u);
}

TEST(ArtifactTest, DigestEqualsThatOfTheHeader) {
  const Artifact a = Example();
  const std::string bytes = Serialize(a);
  EXPECT_EQ(Digest(a), absl::BytesToHexString(bytes.substr(16, 32)));
  EXPECT_EQ(Sealed(bytes), bytes);
}

TEST(ArtifactTest, EqualityAndDigestDependOnEveryField) {
  const Artifact a = Example();
  std::vector<Artifact> variants(26, a);
  variants[0].metadata["extra"] = "";
  variants[1].metadata[kMetaModel] = "tinz";
  variants[2].tensors[0].name = "xx";
  variants[3].tensors[0].dtype = DType::Int32();
  variants[4].tensors[0].shape = {3, 2};
  variants[5].tensors[0].location = Location::kOutput;
  variants[6].tensors[2].position = 0;
  variants[7].arena_bytes = 256;
  variants[8].calls[0].symbol = "k2";
  variants[9].calls[0].inputs = {1, 0};
  variants[10].calls[0].outputs = {3};
  variants[11].calls[0].sources = {"Conv_0Relu_1"};
  variants[12].calls[0].kind = "conv2d";
  variants[13].calls[0].flops = 13;
  variants[14].calls[0].bytes = 98;
  variants[15].params[99] = 'q';
  variants[16].code += "!";
  std::swap(variants[17].calls[0], variants[17].calls[1]);
  variants[18].calls[1].code_digest = "ab12";
  variants[19].code_kind = "elg";
  variants[20].tensors[4].location = Location::kArena;
  variants[21].setup_bytes = 192;
  variants[22].setup[0].symbol = "e2";
  variants[23].setup[0].code_digest = "ef57";
  std::swap(variants[24].setup[0], variants[24].setup[1]);
  // The same calls in the same order.
  variants[25].setup.push_back(variants[25].calls[0]);
  variants[25].calls.erase(variants[25].calls.begin());
  for (size_t i = 0; i < variants.size(); ++i) {
    EXPECT_FALSE(variants[i] == a) << i;
    EXPECT_NE(Digest(variants[i]), Digest(a)) << i;
    EXPECT_TRUE(*Parse(Serialize(variants[i])) == variants[i]) << i;
    EXPECT_EQ(FileBytes(variants[i]),
              static_cast<int64_t>(Serialize(variants[i]).size()))
        << i;
  }
}

TEST(ArtifactTest, ListsInputsAndOutputsInOrder) {
  Artifact a = Example();
  a.tensors.push_back({"x2", DType::Int32(), {}, Location::kInput, 2});
  a.tensors.push_back({"x1", DType::Int32(), {}, Location::kInput, 1});
  EXPECT_EQ(InputTensors(a), (std::vector<int32_t>{0, 6, 5}));
  EXPECT_EQ(OutputTensors(a), (std::vector<int32_t>{3}));
  EXPECT_EQ(NumBytes(a.tensors[0]), 24);
}

TEST(ArtifactTest, RejectsEveryTruncation) {
  const std::string bytes = Serialize(Example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const absl::Status status = Parse(bytes.substr(0, size)).status();
    ASSERT_TRUE(absl::IsInvalidArgument(status)) << size << " " << status;
    // With a correct digest, the parser must detect the truncation.
    if (size >= 48) {
      ASSERT_FALSE(Parse(Sealed(bytes.substr(0, size))).ok()) << size;
    }
  }
  EXPECT_FALSE(Parse(bytes + std::string(1, '\0')).ok());
  EXPECT_FALSE(Parse(Sealed(bytes + std::string(1, '\0'))).ok());
}

TEST(ArtifactTest, RejectsEveryBitFlip) {
  const std::string bytes = Serialize(Example());
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      const absl::Status status = Parse(flipped).status();
      ASSERT_TRUE(absl::IsInvalidArgument(status)) << i << " " << status;
    }
  }
}

// Modified bytes with a correct digest are rejected, or are the canonical
// encoding of an artifact.
TEST(ArtifactTest, AcceptsOnlyCanonicalEncodings) {
  const std::string bytes = Serialize(Example());
  Rng rng(20240917);
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string garbled = bytes;
    const int changes = static_cast<int>(rng.UniformInt(1, 3));
    for (int i = 0; i < changes; ++i) {
      const size_t at = static_cast<size_t>(
          rng.UniformInt(16, static_cast<int64_t>(bytes.size()) - 1));
      garbled[at] = static_cast<char>(rng.NextU64());
    }
    garbled = Sealed(garbled);
    const absl::StatusOr<Artifact> parsed = Parse(garbled);
    if (!parsed.ok()) continue;
    ++accepted;
    ASSERT_EQ(Serialize(*parsed), garbled) << "trial " << trial;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 20000);
}

TEST(ArtifactTest, RejectsCountsBeyondTheFileWithoutAllocating) {
  ByteWriter w;
  w.Raw(Serialize(Artifact()).substr(0, 48));
  w.U64(uint64_t{1} << 60);  // metadata pairs
  EXPECT_TRUE(absl::IsInvalidArgument(Parse(Sealed(w.Take())).status()));
}

TEST(ArtifactTest, RejectsUnknownLocations) {
  Artifact a = Example();
  for (int location = 0; location < 9; ++location) {
    a.tensors[0].location = static_cast<Location>(location);
    EXPECT_EQ(Parse(Serialize(a)).ok(), location <= 4) << location;
  }
}

TEST(ArtifactTest, ErrorsGiveTheReason) {
  const std::string bytes = Serialize(Example());
  EXPECT_EQ(Parse("").status().message(),
            "not an artifact: wrong magic number");
  EXPECT_EQ(Parse("\x7f"
                  "ELF and so on")
                .status()
                .message(),
            "not an artifact: wrong magic number");
  EXPECT_EQ(Parse(bytes.substr(0, 20)).status().message(),
            "artifact is truncated: it has 20 bytes");
  EXPECT_EQ(Parse(bytes.substr(0, 200)).status().message(),
            "artifact is truncated or altered: its SHA-256 does not match");
  std::string newer = bytes;
  newer[8] = 9;
  EXPECT_EQ(Parse(newer).status().message(),
            "artifact has format version 9 and ABI version 1, this program "
            "reads 5 and 1; compile the model again");
  // The version without setup calls.
  std::string older = bytes;
  older[8] = 4;
  EXPECT_EQ(Parse(Sealed(older)).status().message(),
            "artifact has format version 4 and ABI version 1, this program "
            "reads 5 and 1; compile the model again");
}

TEST(ArtifactTest, AlgorithmOfExactArtifactsIsEmpty) {
  Artifact artifact = Example();
  EXPECT_EQ(AlgorithmOf(artifact), "");
  artifact.metadata[kMetaAlgorithms] = "winograd F(4x4)";
  EXPECT_EQ(AlgorithmOf(artifact), "winograd F(4x4)");
}

TEST(ArtifactTest, FilesRoundTripAndErrorsNameThePath) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const std::string path = JoinPath(dir->path(), "m.assay");
  ASSERT_TRUE(WriteArtifact(path, Example()).ok());
  const absl::StatusOr<Artifact> read = ReadArtifact(path);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(*read == Example());
  ASSERT_TRUE(WriteFileAtomic(path, "nothing").ok());
  EXPECT_TRUE(absl::StrContains(ReadArtifact(path).status().message(), path));
  EXPECT_TRUE(absl::IsNotFound(ReadArtifact(path + "x").status()));
}

}  // namespace
}  // namespace assay::runtime
