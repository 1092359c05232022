#include "runtime/process/dynamic_library.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"

namespace assay::runtime {

absl::StatusOr<DynamicLibrary> DynamicLibrary::Open(absl::string_view program,
                                                    absl::string_view file) {
  ASSAY_ASSIGN_OR_RETURN(const std::string path, FindRunfile(program, file));
  // RTLD_LOCAL, because two libraries may define functions of the same name.
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("`", path, "` cannot be loaded: ", dlerror()));
  }
  return DynamicLibrary(handle, path);
}

absl::StatusOr<DynamicLibrary> DynamicLibrary::OpenWheel(
    absl::string_view program, absl::string_view repository) {
  const absl::StatusOr<std::string> note =
      FindRunfile(program, absl::StrCat(repository, "/note.txt"));
  if (note.ok()) {
    ASSAY_ASSIGN_OR_RETURN(const std::string why, ReadFile(*note));
    return absl::NotFoundError(absl::StripSuffix(why, "\n"));
  }
  return Open(program, absl::StrCat(repository, "/library.so"));
}

absl::StatusOr<void*> DynamicLibrary::FindAddress(const char* name) const {
  void* address = dlsym(handle_, name);
  if (address == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("`", path_, "` has no function `", name, "`"));
  }
  return address;
}

}  // namespace assay::runtime
