#include "tests/fuzz/wire_mutator.h"

#include <set>

#include "gtest/gtest.h"
#include "tests/fuzz/generate_model.h"

namespace assay::fuzz {
namespace {

constexpr uint64_t kSeed = 7;

std::string SomeModel(uint8_t seed) {
  Rng rng(seed);
  std::vector<uint8_t> bytes(200);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.NextU64());
  return GenerateModel(bytes).SerializeAsString();
}

TEST(WireMutatorTest, MostMutantsAreValidMessages) {
  Rng rng(kSeed);
  const std::string model = SomeModel(1), other = SomeModel(2);
  std::set<std::string> made;
  int parsed = 0;
  for (int i = 0; i < 500; ++i) {
    const std::string mutated = MutateModel(model, other, rng);
    made.insert(mutated);
    parsed += onnx::ModelProto().ParseFromString(mutated) ? 1 : 0;
  }
  EXPECT_GT(made.size(), 450u);
  EXPECT_GT(parsed, 400);
}

TEST(WireMutatorTest, IsDeterministic) {
  const std::string model = SomeModel(1);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Rng first(seed), second(seed);
    EXPECT_EQ(MutateModel(model, "", first), MutateModel(model, "", second));
  }
}

TEST(WireMutatorTest, CallsMutateBytesForStrings) {
  Rng rng(kSeed);
  bool asked = false;
  for (int i = 0; i < 200; ++i) {
    MutateModel(SomeModel(1), "", rng, [&](std::string bytes) {
      asked = true;
      return bytes + "!";
    });
  }
  EXPECT_TRUE(asked);
}

TEST(WireMutatorTest, ReturnsMalformedInputUnchanged) {
  Rng rng(kSeed);
  EXPECT_EQ(MutateModel("", "", rng), "");
  EXPECT_EQ(MutateModel("\xff\xff", "", rng), "\xff\xff");
}

}  // namespace
}  // namespace assay::fuzz
