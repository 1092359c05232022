// SuiteProgramTest: a fixture of tests that run the program //suites:model with
// a small network, and read what it writes.
#ifndef ASSAY_TESTS_E2E_TESTING_SUITE_PROGRAM_H_
#define ASSAY_TESTS_E2E_TESTING_SUITE_PROGRAM_H_

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reports/result/run_result.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {

class SuiteProgramTest : public ::testing::Test {
 protected:
  SuiteProgramTest();

  // Returns a path in the folder of the test.
  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }

  // Writes a ResNet-18 for 64 x 64 images, in the style of a framework's
  // exporter, and returns its path. Its batch is the symbol `N`.
  std::string WriteResNet18();

  // Runs the program.
  static runtime::ProcessResult RunModel(std::vector<std::string> arguments);
  // RunModel() with the arguments `flags` and `more`.
  static runtime::ProcessResult RunModel(std::vector<std::string> flags,
                                         const std::vector<std::string>& more);

  // Returns the results in the folder Path(`out`).
  reports::RunResult ReadResults(const std::string& out = "out");

 private:
  TempDir dir_;
};

}  // namespace assay::suites

#endif  // ASSAY_TESTS_E2E_TESTING_SUITE_PROGRAM_H_
