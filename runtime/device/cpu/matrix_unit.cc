#include "runtime/device/cpu/matrix_unit.h"

#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace assay::runtime {

bool EnableMatrixUnit() {
#if defined(__x86_64__)
  constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr int kTileData = 18;               // XFEATURE_XTILE_DATA
  static const bool enabled =
      syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return enabled;
#else
  return false;
#endif
}

}  // namespace assay::runtime
