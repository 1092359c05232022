// SharedObject: machine code loaded from bytes in memory.
//
// The bytes go into an anonymous file (memfd_create), or a temporary one where
// there is none or it cannot be loaded from, and from there through dlopen, so
// nothing is left behind on disk whatever happens. Before the system's loader
// sees them their ELF header is compared with this program's own, so that code
// for another machine gives a sentence with both names.
//
// Loading runs the object's initialisers and calling it runs its code: only
// for code one would run.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_SHARED_OBJECT_H_
#define ASSAY_RUNTIME_DEVICE_CPU_SHARED_OBJECT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::runtime {

class SharedObject {
 public:
  // InvalidArgument if the bytes are not a shared object for this machine.
  static absl::StatusOr<std::unique_ptr<SharedObject>> Load(
      absl::string_view elf);
  // The second way alone, for tests.
  static absl::StatusOr<std::unique_ptr<SharedObject>> LoadThroughTemporaryFile(
      absl::string_view elf);
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  // The address of an exported symbol; NotFound if there is none.
  absl::StatusOr<void*> Find(const std::string& symbol) const;

 private:
  SharedObject(void* handle, int fd) : handle_(handle), fd_(fd) {}

  void* handle_;
  // Kept open while the object is loaded: dlopen knows an object by its path,
  // and a later /proc/self/fd/N with the same N would be taken for this one.
  int fd_;
};

// InvalidArgument unless `elf` begins like a shared object for this machine.
// Load() does this first.
absl::Status CheckElfHeader(absl::string_view elf);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_SHARED_OBJECT_H_
