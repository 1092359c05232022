// CountedRun: runs a program under qemu with the plug-in (plugin.cc), and
// returns what the program does in its regions (region_marker.h).
//
// The program must be fully static and have one thread. It may be of another
// machine than this one. It runs in an empty folder that is its current folder,
// with an empty environment, so that the counts depend only on the program and
// its arguments: the contents of its memory are the same in every run.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_COUNTED_RUN_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_COUNTED_RUN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/base/file.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::runtime {

class CountedRun {
 public:
  struct Options {
    std::string machine;  // `aarch64`, `armhf` or `x86_64`
    // Processor that qemu emulates (its option `-cpu`).
    std::string cpu = "max";
    double time_limit_s = 600;
  };

  // `program` is argv[0] of this program, in whose runfiles qemu and the
  // plug-in are. Returns InvalidArgument if qemu does not emulate the machine,
  // and NotFound if the runfiles are missing.
  static absl::StatusOr<CountedRun> Create(const std::string& program,
                                           const Options& options);

  // The folder in which the program runs. Files that the program reads can be
  // placed here, and named without a folder.
  const std::string& folder() const { return folder_.path(); }

  // Runs the program in the file `path` and returns its regions in the order of
  // execution. Errors:
  //   - InvalidArgument: qemu has no such processor, the program executes an
  //     instruction that the processor does not have, or the regions are wrong
  //     (region_marker.h).
  //   - DeadlineExceeded: the program takes longer than the time limit.
  //   - Internal: the program fails; the error quotes its standard error.
  absl::StatusOr<std::vector<RegionCounts>> Run(
      const std::string& path, const std::vector<std::string>& arguments) const;

 private:
  CountedRun(Options options, TempDir folder, std::string emulator,
             std::string plugin);

  Options options_;
  TempDir folder_;
  std::string emulator_;
  std::string plugin_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_COUNTED_RUN_H_
