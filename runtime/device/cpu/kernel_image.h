// KernelImage: the kernels of an artifact, loaded from an ELF shared object
// into memory of this process.
//
// The loader supports what the linker of the compiler produces and no more:
// position-independent code that is loaded as a whole and imports nothing. An
// object that needs another library, or has undefined symbols, thread-local
// variables or initialisers, is rejected before its memory becomes executable.
// Loading an image therefore runs none of its code. (The kernels themselves are
// trusted when called.) dlopen is not used because it runs initialisers, and
// because the caller must choose the address: the speed of a kernel depends on
// where its instructions lie within a page and within a cache line.
//
// Source: "System V Application Binary Interface", chapters 4 and 5, and its
// supplements for x86-64, AArch64 and Arm.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_KERNEL_IMAGE_H_
#define ASSAY_RUNTIME_DEVICE_CPU_KERNEL_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/device/device.h"

namespace assay::runtime {

class KernelImage {
 public:
  // Loads the image `offset` bytes after the beginning of a page. `offset` must
  // be a multiple of 64, the largest alignment that code and constants may rely
  // on. Returns InvalidArgument if `elf` is not a shared object for this
  // machine that the loader supports, and ResourceExhausted if there is not
  // enough memory.
  static absl::StatusOr<std::unique_ptr<KernelImage>> Load(
      absl::string_view elf, int64_t offset = 0);
  ~KernelImage();
  KernelImage(const KernelImage&) = delete;
  KernelImage& operator=(const KernelImage&) = delete;

  // Returns the address of an exported function, or NotFound.
  absl::StatusOr<void*> Find(const std::string& symbol) const;

  // Returns the code of the exported function `symbol` (Module::CodeOf), which
  // lies between the symbols `SYMBOL.begin` and `SYMBOL.end`. Returns no bytes
  // if the image has no such symbols, if the function is not between them, or
  // if they are not in one readable and executable segment.
  KernelCode CodeOf(const std::string& symbol) const;

 private:
  KernelImage(char* memory, size_t bytes) : memory_(memory), bytes_(bytes) {}

  char* const memory_;
  const size_t bytes_;
  std::map<std::string, void*> functions_;
  std::map<std::string, KernelCode> code_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_KERNEL_IMAGE_H_
