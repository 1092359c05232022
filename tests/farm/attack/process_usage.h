// ReadProcessUsage: the memory, files and threads of a running program, from
// /proc.
//
//   ASSAY_ASSIGN_OR_RETURN(const ProcessUsage usage, ReadProcessUsage(pid));
#ifndef ASSAY_TESTS_FARM_ATTACK_PROCESS_USAGE_H_
#define ASSAY_TESTS_FARM_ATTACK_PROCESS_USAGE_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

struct ProcessUsage {
  int64_t memory_bytes = 0;  // that are in physical memory
  int64_t peak_bytes = 0;    // the most of them so far
  int64_t files = 0;         // open ones, with connections
  int64_t threads = 0;
  int64_t children = 0;  // processes that its threads have started
};

// Returns NotFound if there is no such process.
absl::StatusOr<ProcessUsage> ReadProcessUsage(pid_t pid);

// Returns the number of other processes whose environment has `text`, which
// processes inherit from those that start them.
int64_t CountProcessesWith(absl::string_view text);

// The same for processes with `text` in their command line.
int64_t CountCommandsWith(absl::string_view text);

// Returns the number of files and folders in a folder, without those in its
// folders; 0 if there is no folder.
int64_t CountFiles(const std::string& folder, absl::string_view ending = "");

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_PROCESS_USAGE_H_
