// DynamicLibrary: a third-party shared library, opened from the runfiles.
#ifndef ASSAY_SUITES_REFERENCES_DYNAMIC_LIBRARY_H_
#define ASSAY_SUITES_REFERENCES_DYNAMIC_LIBRARY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::suites {

class DynamicLibrary {
 public:
  // Opens `files`, given as `<repository>/<path>`, in order. The last one is
  // the library, the others are its dependencies: the dynamic loader reuses a
  // library of the same name that is already open. `program` is argv[0]. The
  // files are never closed, because a library that has started threads cannot
  // be unloaded. NotFound if a file does not exist.
  static absl::StatusOr<DynamicLibrary> Open(
      absl::string_view program, absl::Span<const std::string> files);

  // Sets `*function` to the exported function of that name.
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

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_DYNAMIC_LIBRARY_H_
