#include "runtime/device/device.h"

#include "absl/strings/str_cat.h"
#include "runtime/abi/abi.h"

namespace assay::runtime {

absl::Status CheckView(const BufferView& view) {
  if (view.buffer == nullptr) {
    return absl::InvalidArgumentError("a view of no buffer");
  }
  if (view.offset < 0 || view.bytes < 0 || view.bytes > view.buffer->bytes() ||
      view.offset > view.buffer->bytes() - view.bytes ||
      view.offset % ASSAY_BUFFER_ALIGNMENT != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a view of ", view.bytes, " bytes at offset ", view.offset,
                     " of a buffer of ", view.buffer->bytes(), " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace assay::runtime
