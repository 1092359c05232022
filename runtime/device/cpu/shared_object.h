// SharedObject: a shared object loaded from memory.
//
// The bytes are written to an anonymous file (memfd_create) and loaded with
// dlopen, so no file is left on disk even after a crash. If the anonymous file
// cannot be created, written or loaded, a temporary file is used instead. The
// ELF header is checked first: code for another architecture is rejected with
// an error that names both architectures.
//
// Loading runs the object's initialisers. Load only trusted code.
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
  // Loads the shared object whose content is `elf`. Returns InvalidArgument if
  // `elf` is not a shared object for this machine.
  static absl::StatusOr<std::unique_ptr<SharedObject>> Load(
      absl::string_view elf);
  // Like Load(), but always uses a temporary file. Only tests should call this
  // function.
  static absl::StatusOr<std::unique_ptr<SharedObject>> LoadThroughTemporaryFile(
      absl::string_view elf);
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  // Returns the address of an exported symbol, or NotFound.
  absl::StatusOr<void*> Find(const std::string& symbol) const;

 private:
  SharedObject(void* handle, int fd) : handle_(handle), fd_(fd) {}

  void* handle_;
  // Descriptor of the anonymous file, or -1 if a temporary file was used. The
  // descriptor stays open while the object is loaded. If it were closed
  // earlier, the anonymous file of a later object could get the same descriptor
  // N and therefore the same path /proc/self/fd/N. dlopen identifies objects by
  // path, so it would return this object instead of the later one.
  int fd_;
};

// Returns InvalidArgument if the header of `elf` is not that of a shared object
// for this machine. Load() calls this first.
absl::Status CheckElfHeader(absl::string_view elf);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_SHARED_OBJECT_H_
