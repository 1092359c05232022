#include "runtime/device/cpu/matrix_unit.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

bool ProcessorHasMatrixUnit() {
  std::ostringstream text;
  text << std::ifstream("/proc/cpuinfo").rdbuf();
  return text.str().find(" amx_tile ") != std::string::npos;
}

TEST(MatrixUnitTest, NeedsAProcessorWithAMatrixUnit) {
  if (ProcessorHasMatrixUnit()) GTEST_SKIP() << "this processor has one";
  EXPECT_FALSE(EnableMatrixUnit());
}

TEST(MatrixUnitTest, AnswersTheSameAgain) {
  const bool enabled = EnableMatrixUnit();
  EXPECT_EQ(EnableMatrixUnit(), enabled);
}

#if defined(__x86_64__)

// Stores tile 0 after it was set to zero. Raises SIGILL without permission.
__attribute__((target("amx-tile"))) int64_t StoredTile() {
  struct alignas(64) {
    uint8_t palette = 1, start_row = 0;
    uint8_t reserved[14] = {};
    uint16_t row_bytes[16] = {64};
    uint8_t rows[16] = {16};
  } config;
  alignas(64) uint8_t memory[1024];
  for (uint8_t& byte : memory) byte = 1;
  const int64_t stride = 64;
  asm volatile(
      "ldtilecfg %[config]\n"
      "tilezero %%tmm0\n"
      "tilestored %%tmm0, (%[memory], %[stride])\n"
      "tilerelease\n"
      :
      : [config] "m"(config), [memory] "r"(memory), [stride] "r"(stride)
      : "memory");
  int64_t sum = 0;
  for (const uint8_t byte : memory) sum += byte;
  return sum;
}

// The permission holds for all threads.
TEST(MatrixUnitTest, PermitsTheUseOfTiles) {
  if (!EnableMatrixUnit()) GTEST_SKIP() << "there is no matrix unit";
  EXPECT_EQ(StoredTile(), 0);
  int64_t sum = -1;
  std::thread([&] { sum = StoredTile(); }).join();
  EXPECT_EQ(sum, 0);
}

#endif

}  // namespace
}  // namespace assay::runtime
