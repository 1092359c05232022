#include "runtime/tools/count/counted_run.h"

#include <csignal>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/subprocess.h"
#include "runtime/tools/count/region_report.h"

namespace assay::runtime {
namespace {

constexpr char kOut[] = "counts";

// Returns the absolute path of an existing file: the program runs in another
// folder.
absl::StatusOr<std::string> AbsolutePath(const std::string& path) {
  char* absolute = realpath(path.c_str(), nullptr);
  if (absolute == nullptr) {
    return absl::NotFoundError(absl::StrCat("there is no file `", path, "`"));
  }
  std::string result = absolute;
  std::free(absolute);
  return result;
}

}  // namespace

CountedRun::CountedRun(Options options, TempDir folder, std::string emulator,
                       std::string plugin)
    : options_(std::move(options)),
      folder_(std::move(folder)),
      emulator_(std::move(emulator)),
      plugin_(std::move(plugin)) {}

absl::StatusOr<CountedRun> CountedRun::Create(const std::string& program,
                                              const Options& options) {
  if (options.machine != "aarch64" && options.machine != "armhf" &&
      options.machine != "x86_64") {
    return absl::InvalidArgumentError(
        absl::StrCat("instructions cannot be counted for the machine `",
                     options.machine, "`, only for aarch64, armhf and x86_64"));
  }
  ASSAY_ASSIGN_OR_RETURN(
      const std::string emulator,
      FindRunfile(program, "assay/ci/toolchains/emulate_with_plugin"));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string linked_plugin,
      FindRunfile(program, "assay/runtime/tools/count/count.so"));
  ASSAY_ASSIGN_OR_RETURN(std::string plugin, AbsolutePath(linked_plugin));
  ASSAY_ASSIGN_OR_RETURN(TempDir folder, TempDir::Create("assay-count"));
  return CountedRun(options, std::move(folder), emulator, std::move(plugin));
}

absl::StatusOr<std::vector<RegionCounts>> CountedRun::Run(
    const std::string& path, const std::vector<std::string>& arguments) const {
  ASSAY_ASSIGN_OR_RETURN(const std::string program, AbsolutePath(path));
  // `-seed` makes the random bytes that Linux passes to a program the same in
  // every run, and `-0` its name.
  std::vector<std::string> command = {emulator_,
                                      options_.machine,
                                      folder_.path(),
                                      "-cpu",
                                      options_.cpu,
                                      "-seed",
                                      "1",
                                      "-0",
                                      "program",
                                      "-plugin",
                                      absl::StrCat(plugin_, ",out=", kOut),
                                      program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ProcessOptions process;
  process.timeout_s = options_.time_limit_s;
  ASSAY_ASSIGN_OR_RETURN(const ProcessResult result,
                         RunProcess(command, process));
  if (result.signal == SIGILL) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the code has an instruction that the processor `", options_.cpu,
        "` of qemu for ", options_.machine, " does not have"));
  }
  if (absl::StrContains(result.err, "unable to find CPU model")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "qemu has no processor `", options_.cpu, "` for ", options_.machine));
  }
  if (!result.ok()) {
    return absl::InternalError(
        absl::StrCat("the program under qemu failed: ", LastLines(result.err)));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string text,
                         ReadFile(JoinPath(folder_.path(), kOut)));
  absl::StatusOr<std::vector<RegionCounts>> regions = ParseRegions(text);
  if (absl::IsFailedPrecondition(regions.status())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the program cannot be counted: ", regions.status().message()));
  }
  return regions;
}

}  // namespace assay::runtime
