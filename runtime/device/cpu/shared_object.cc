#include "runtime/device/cpu/shared_object.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#elif defined(__arm__)
constexpr int kMachine = EM_ARM;
#else
#error "define kMachine for this architecture"
#endif

std::string MachineName(int machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86_64";
    case EM_386:
      return "i386";
    case EM_AARCH64:
      return "aarch64";
    case EM_ARM:
      return "arm";
    default:
      return absl::StrCat("machine number ", machine);
  }
}

// Returns the descriptor of an anonymous file with these contents, or -1.
int MakeMemoryFile(absl::string_view bytes) {
  const int fd = memfd_create("assay_kernels", MFD_CLOEXEC);
  if (fd < 0) return -1;
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      close(fd);
      return -1;
    }
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return fd;
}

std::string LoaderError() {
  const char* text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

void* Open(const std::string& path) {
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

// The fields used here have the same offsets in Elf32_Ehdr and Elf64_Ehdr.
absl::Status CheckElfHeader(absl::string_view elf) {
  Elf32_Ehdr header;
  if (elf.size() < sizeof(header) ||
      elf.substr(0, SELFMAG) != absl::string_view(ELFMAG, SELFMAG)) {
    return absl::InvalidArgumentError("the kernels' code is not an ELF file");
  }
  std::memcpy(&header, elf.data(), sizeof(header));
  if (header.e_machine != kMachine) {
    return absl::InvalidArgumentError(
        absl::StrCat("the kernels' code is for ", MachineName(header.e_machine),
                     ", but this machine is ", MachineName(kMachine)));
  }
  if (header.e_type != ET_DYN) {
    return absl::InvalidArgumentError(
        "the kernels' code is not a shared object");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<SharedObject>> SharedObject::Load(
    absl::string_view elf) {
  ASSAY_RETURN_IF_ERROR(CheckElfHeader(elf));
  const int fd = MakeMemoryFile(elf);
  void* handle = fd < 0 ? nullptr : Open(absl::StrCat("/proc/self/fd/", fd));
  if (handle != nullptr) {
    return std::unique_ptr<SharedObject>(new SharedObject(handle, fd));
  }
  if (fd >= 0) close(fd);
  return LoadThroughTemporaryFile(elf);
}

absl::StatusOr<std::unique_ptr<SharedObject>>
SharedObject::LoadThroughTemporaryFile(absl::string_view elf) {
  ASSAY_RETURN_IF_ERROR(CheckElfHeader(elf));
  ASSAY_ASSIGN_OR_RETURN(const TempDir dir, TempDir::Create("assay_kernels"));
  const std::string path = JoinPath(dir.path(), "kernels.so");
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, elf));
  void* handle = Open(path);
  if (handle == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("the kernels' code cannot be loaded: ", LoaderError()));
  }
  // The object stays mapped after the file is removed.
  return std::unique_ptr<SharedObject>(new SharedObject(handle, -1));
}

SharedObject::~SharedObject() {
  dlclose(handle_);
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<void*> SharedObject::Find(const std::string& symbol) const {
  void* address = dlsym(handle_, symbol.c_str());
  if (address == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("the kernels' code has no symbol `", symbol, "`"));
  }
  return address;
}

}  // namespace assay::runtime
