// DynamicLibrary: a third-party shared library that is opened from the runfiles
// of the program.
//
// A library may be missing, because the build downloads the wheels of the
// libraries, or their npm packages, from a registry that not every machine can
// reach (ci/third_party). OpenWheel() then returns an error with the reason.
#ifndef ASSAY_RUNTIME_PROCESS_DYNAMIC_LIBRARY_H_
#define ASSAY_RUNTIME_PROCESS_DYNAMIC_LIBRARY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::runtime {

class DynamicLibrary {
 public:
  // Opens `file`, a path `<repository>/<path>` in the runfiles of the program;
  // `program` is argv[0]. The dynamic loader resolves a dependency to a library
  // of the same name that is already open. The file is never closed, because a
  // library that has started threads cannot be unloaded.
  //
  // Returns NotFound if the file does not exist, and Unavailable if it cannot
  // be loaded.
  static absl::StatusOr<DynamicLibrary> Open(absl::string_view program,
                                             absl::string_view file);

  // Opens the library of a wheel or npm package: `repository`/library.so.
  // Returns NotFound, with the reason, if it could not be downloaded when the
  // program was built.
  static absl::StatusOr<DynamicLibrary> OpenWheel(absl::string_view program,
                                                  absl::string_view repository);

  // Sets `*function` to the exported function `name`. Returns Unavailable if
  // the library has no such function.
  template <typename Function>
  absl::Status Find(const char* name, Function** function) const {
    const absl::StatusOr<void*> address = FindAddress(name);
    if (!address.ok()) return address.status();
    *function = reinterpret_cast<Function*>(*address);
    return absl::OkStatus();
  }

 private:
  DynamicLibrary(void* handle, std::string path)
      : handle_(handle), path_(std::move(path)) {}
  absl::StatusOr<void*> FindAddress(const char* name) const;

  void* handle_;
  std::string path_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_DYNAMIC_LIBRARY_H_
