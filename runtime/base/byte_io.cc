#include "runtime/base/byte_io.h"

#include "runtime/base/check.h"

namespace assay {

void ByteWriter::Integer(uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    bytes_.push_back(static_cast<char>(value >> (8 * i)));
  }
}

void ByteWriter::String(absl::string_view text) {
  Count(text.size());
  Raw(text);
}

void ByteWriter::Raw(absl::string_view bytes) {
  bytes_.append(bytes.data(), bytes.size());
}

void ByteWriter::AlignTo(size_t alignment) {
  while (bytes_.size() % alignment != 0) bytes_.push_back('\0');
}

uint64_t ByteReader::Integer(int bytes) {
  const absl::string_view raw = Raw(static_cast<size_t>(bytes));
  uint64_t value = 0;
  for (size_t i = 0; i < raw.size(); ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(raw[i])) << (8 * i);
  }
  return value;
}

size_t ByteReader::Count(size_t min_item_bytes) {
  CHECK_GE(min_item_bytes, 1u);
  const size_t start = position_;
  const uint64_t count = U64();
  if (count > remaining() / min_item_bytes) {
    position_ = start;
    ok_ = false;
  }
  return ok_ ? static_cast<size_t>(count) : 0;
}

absl::string_view ByteReader::StringView() { return Raw(Count(1)); }

absl::string_view ByteReader::Raw(size_t size) {
  if (size > remaining()) ok_ = false;
  if (!ok_) return {};
  const absl::string_view raw = bytes_.substr(position_, size);
  position_ += size;
  return raw;
}

void ByteReader::AlignTo(size_t alignment) {
  while (ok_ && position_ % alignment != 0) {
    if (U8() != 0) ok_ = false;
  }
}

}  // namespace assay
