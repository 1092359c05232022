#include "suites/kernels/compiled_kernel.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"

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
  EXPECT_EQ(PlainLayoutNote(Calls(
                {{"encode", 0, 2}, {"conv2d+relu", 2, 3}, {"encode", 3, 1}})),
            "");
  EXPECT_EQ(PlainLayoutNote(Calls({{"encode", 0, 2}, {"conv2d", 2, 1}})),
            "`kernel` writes the plain layout itself");
  EXPECT_EQ(PlainLayoutNote(Calls({{"conv2d", 0, 2}, {"encode", 2, 1}})),
            "`kernel` reads the plain layout itself");
  EXPECT_EQ(PlainLayoutNote(Calls({{"conv2d", 0, 1}})),
            "`kernel` reads and writes the plain layout itself");
}

}  // namespace
}  // namespace assay::suites
