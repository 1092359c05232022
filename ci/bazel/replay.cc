// Runs a fuzz function on the files of the folder $ASSAY_CORPUS (fuzz.bzl). As
// in the fuzzer, an error ends the process.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace assay {
namespace {

TEST(ReplayTest, RunsEveryFileOfTheCorpus) {
  const char* folder = std::getenv("ASSAY_CORPUS");
  ASSERT_NE(folder, nullptr);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty());
  for (const std::string& file : files) {
    std::cout << file << std::endl;  // the last one caused the failure
    const auto bytes = ReadFile(file);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes->data()),
                           bytes->size());
  }
}

}  // namespace
}  // namespace assay
