// SmallDisk: a file system of a few megabytes that can be filled.
//
//   ASSAY_RETURN_IF_ERROR(SmallDisk::Prepare());    // before any thread
//   ASSAY_ASSIGN_OR_RETURN(const auto disk,
//                          SmallDisk::Mount(folder, 16 << 20));
//   ASSAY_RETURN_IF_ERROR(disk->Fill());
//   disk->Free();
//
// It is a tmpfs that only this process and those that it starts can see, in a
// mount namespace of their own. It ends with them.
#ifndef ASSAY_TESTS_FARM_CHAOS_TOOLS_SMALL_DISK_H_
#define ASSAY_TESTS_FARM_CHAOS_TOOLS_SMALL_DISK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay {

class SmallDisk {
 public:
  // Gives this process a mount namespace, and a user namespace unless it has
  // the rights of root. Must be called while there is one thread. Returns an
  // error where the machine does not permit it.
  static absl::Status Prepare();
  // Creates the folder and mounts the file system on it.
  static absl::StatusOr<std::unique_ptr<SmallDisk>> Mount(
      const std::string& folder, int64_t bytes);

  // Takes all space that is left.
  absl::Status Fill();
  void Free();

 private:
  explicit SmallDisk(std::string folder) : folder_(std::move(folder)) {}

  const std::string folder_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_TOOLS_SMALL_DISK_H_
