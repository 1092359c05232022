#include "runtime/device/device.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {

absl::StatusOr<std::unique_ptr<Module>> Device::Load(
    absl::string_view code_kind, absl::string_view code,
    uint64_t placement_seed) {
  if (code_kind != this->code_kind()) {
    return absl::InvalidArgumentError(
        absl::StrCat("device `", kind(), "` runs code of kind `",
                     this->code_kind(), "`, not of kind `", code_kind, "`"));
  }
  return LoadCode(code, placement_seed);
}

absl::StatusOr<std::unique_ptr<Buffer>> Device::AllocateFilled(
    LargeBytes bytes) {
  const auto size = static_cast<int64_t>(bytes.size());
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer, Allocate(size));
  ASSAY_RETURN_IF_ERROR(CopyIn(bytes.data(), {buffer.get(), 0, size}));
  return buffer;
}

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
