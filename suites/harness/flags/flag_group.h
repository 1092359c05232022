// A flag group declares the flags of one part of a suite's options:
//
//   FinishFlags AddXFlags(CLI::App& app, XOptions* options);
//
// The function that it returns is called after the command line was parsed. It
// checks and converts the values and makes paths absolute; its error names the
// flag.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_FLAG_GROUP_H_
#define ASSAY_SUITES_HARNESS_FLAGS_FLAG_GROUP_H_

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace assay::suites {

// `working_directory` is the folder where the user typed the command.
using FinishFlags =
    std::function<absl::Status(const std::string& working_directory)>;

absl::Status AtLeast(const char* flag, int value, int least);

// Does nothing for an empty path.
void MakeAbsolute(const std::string& working_directory, std::string* path);

template <typename T>
bool HasDuplicate(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_FLAG_GROUP_H_
