#include "suites/kernels/compiled_kernel.h"

#include "gtest/gtest.h"
#include "runtime/measure/session.h"
#include "suites/references/problem.h"

namespace assay::suites {
namespace {

using runtime::Location;

// Builds an artifact from calls with a kind, an input and an output each.
// Tensor 0 is the input of the model, 1 the output, 2 and 3 are intermediate.
runtime::Artifact Calls(
    const std::vector<std::tuple<std::string, int32_t, int32_t>>& calls) {
  runtime::Artifact artifact;
  for (const Location location : {Location::kInput, Location::kOutput,
                                  Location::kArena, Location::kArena}) {
    artifact.tensors.emplace_back();
    artifact.tensors.back().location = location;
  }
  for (const auto& [kind, from, to] : calls) {
    runtime::KernelCall call;
    call.kind = kind;
    call.inputs = {from};
    call.outputs = {to};
    artifact.calls.push_back(call);
  }
  return artifact;
}

TEST(PlainLayoutNoteTest, NamesTheTransformationsFusedIntoTheKernel) {
  EXPECT_EQ(PlainLayoutNote(Calls({{"layout_transform", 0, 2},
                                   {"conv2d+relu", 2, 3},
                                   {"layout_transform", 3, 1}})),
            "");
  EXPECT_EQ(
      PlainLayoutNote(Calls({{"layout_transform", 0, 2}, {"conv2d", 2, 1}})),
      "`kernel` writes the plain layout itself");
  EXPECT_EQ(
      PlainLayoutNote(Calls({{"conv2d", 0, 2}, {"layout_transform", 2, 1}})),
      "`kernel` reads the plain layout itself");
  EXPECT_EQ(PlainLayoutNote(Calls({{"conv2d", 0, 1}})),
            "`kernel` reads and writes the plain layout itself");
}

TEST(AlgorithmOfTest, IsEmptyForExactArtifacts) {
  runtime::Artifact artifact;
  EXPECT_EQ(AlgorithmOf(artifact), "");
  artifact.metadata[runtime::kMetaAlgorithms] = "winograd F(4x4)";
  EXPECT_EQ(AlgorithmOf(artifact), "winograd F(4x4)");
}

TEST(InterpretedModelTest, MultipliesMatrices) {
  InterpretedModel model(
      GemmModel({1, 2, 2}),
      {{"b", NDArray::FromVector<float>({2, 2}, {1, 2, 3, 4})},
       {"a", NDArray::FromVector<float>({1, 2}, {10, 1})}});
  const auto sample = runtime::RunOnce(model);
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_TRUE(BitwiseEqual(sample->outputs[0].value,
                           NDArray::FromVector<float>({1, 2}, {13, 24})));
}

TEST(InterpretedModelTest, NamesAMissingInput) {
  InterpretedModel model(GemmModel({1, 1, 1}),
                         {{"a", NDArray::FromVector<float>({1, 1}, {1})}});
  EXPECT_EQ(runtime::RunOnce(model).status().message(),
            "input `b` has no value");
}

}  // namespace
}  // namespace assay::suites
