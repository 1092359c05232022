// Fuzz test of the lines that a device's server and its worker exchange
// (runtime/measure/block_text.h), with arbitrary bytes: each parser returns an
// error of one line, or a value whose text is parsed to the same value.
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "runtime/base/check.h"
#include "runtime/measure/block_text.h"

namespace assay::fuzz {
namespace {

void CheckError(const absl::Status& status) {
  CHECK(!status.message().empty() && !absl::StrContains(status.message(), "\n"))
      << status;
}

void ReadAsBlock(absl::string_view bytes) {
  const auto request = runtime::ParseBlock(bytes, /*programs=*/2);
  if (!request.ok()) return CheckError(request.status());
  const std::string text =
      runtime::SerializeBlock(request->block, request->outputs_folder);
  const auto again = runtime::ParseBlock(text, /*programs=*/2);
  CHECK(again.ok()) << again.status();
  CHECK(runtime::SerializeBlock(again->block, again->outputs_folder) == text);
  CHECK(again->block.samples.size() == request->block.samples.size());
}

void ReadAsSample(absl::string_view bytes) {
  const auto sample = runtime::ParseSample(bytes);
  if (!sample.ok()) return CheckError(sample.status());
  CHECK(sample->nanos > 0 && sample->number > 0);
  const std::string text = runtime::SerializeSample(*sample);
  const auto again = runtime::ParseSample(text);
  CHECK(again.ok()) << again.status();
  CHECK(runtime::SerializeSample(*again) == text);
}

void ReadAsFailure(absl::string_view bytes) {
  const std::optional<absl::Status> failure = runtime::ParseFailure(bytes);
  if (!failure.has_value()) return;
  CHECK(!failure->ok());
  const auto again = runtime::ParseFailure(runtime::SerializeFailure(*failure));
  CHECK(again.has_value() && again->code() == failure->code());
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  assay::fuzz::ReadAsBlock(bytes);
  assay::fuzz::ReadAsSample(bytes);
  assay::fuzz::ReadAsFailure(bytes);
  return 0;
}
