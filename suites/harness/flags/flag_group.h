// Utilities for flag groups. A flag group is a set of related flags of a suite.
// A function of this form adds the flags to a CLI11 parser:
//
//   FinishFlags AddXFlags(CLI::App& app, XOptions* options);
//
// The returned function must be called after the command line was parsed. It
// checks the values of the flags, converts them, and makes paths absolute. If
// a value is invalid, it returns an error that names the flag.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_FLAG_GROUP_H_
#define ASSAY_SUITES_HARNESS_FLAGS_FLAG_GROUP_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"

// CLI/CLI.hpp takes seconds to compile, so only the sources include it.
namespace CLI {
class App;
}  // namespace CLI

namespace assay::suites {

// Type of the function that AddXFlags returns. `working_directory` is the
// folder where the user typed the command.
using FinishFlags =
    std::function<absl::Status(const std::string& working_directory)>;

// Returns InvalidArgument, with the name of the flag, if `value` is less than
// `least`.
absl::Status AtLeast(const char* flag, int value, int least);

// Sets `*seed` to the number `text`. Command lines are not parsed to unsigned
// numbers directly, because CLI11 accepts `-1` for them. Returns
// InvalidArgument, with the name of the flag, if `text` is not a number from 0
// to 2^64 - 1.
absl::Status ParseSeed(const char* flag, const std::string& text,
                       uint64_t* seed);

// Prepends `working_directory` to `*path` if `*path` is a relative path. Does
// nothing if `*path` is empty.
void MakeAbsolute(const std::string& working_directory, std::string* path);

template <typename T>
bool HasDuplicate(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_FLAG_GROUP_H_
