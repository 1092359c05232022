// ByteWriter and ByteReader: the encoding under every binary file of ours.
// Little-endian fixed-width integers; a string is its length as u64, then its
// bytes.
//
// The reader believes nothing: it never reads past its bytes and never
// allocates more than they could fill. Its error is sticky, so a parser reads
// straight on and asks once; after an error every read gives zero or empty.
//
//   ByteReader r(bytes);
//   Foo foo;
//   foo.name = r.String();
//   foo.items.resize(r.Count(/*min_item_bytes=*/8));
//   for (int64_t& item : foo.items) item = r.I64();
//   if (!r.ok() || !r.AtEnd()) return absl::InvalidArgumentError(…);
#ifndef ASSAY_RUNTIME_BASE_BYTE_IO_H_
#define ASSAY_RUNTIME_BASE_BYTE_IO_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

class ByteWriter {
 public:
  void U8(uint8_t value) { Integer(value, 1); }
  void U16(uint16_t value) { Integer(value, 2); }
  void U32(uint32_t value) { Integer(value, 4); }
  void U64(uint64_t value) { Integer(value, 8); }
  void I32(int32_t value) { U32(static_cast<uint32_t>(value)); }
  void I64(int64_t value) { U64(static_cast<uint64_t>(value)); }
  // The number of items that follow; read back by Count().
  void Count(size_t count) { U64(count); }
  void String(absl::string_view text);
  // The bytes alone, without a length.
  void Raw(absl::string_view bytes);
  // Zeros up to the next multiple of `alignment`.
  void AlignTo(size_t alignment);

  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

 private:
  void Integer(uint64_t value, int bytes);

  std::string bytes_;
};

class ByteReader {
 public:
  // `bytes` must outlive the reader.
  explicit ByteReader(absl::string_view bytes) : bytes_(bytes) {}

  uint8_t U8() { return static_cast<uint8_t>(Integer(1)); }
  uint16_t U16() { return static_cast<uint16_t>(Integer(2)); }
  uint32_t U32() { return static_cast<uint32_t>(Integer(4)); }
  uint64_t U64() { return Integer(8); }
  int32_t I32() { return static_cast<int32_t>(U32()); }
  int64_t I64() { return static_cast<int64_t>(U64()); }
  // A number of items of at least `min_item_bytes` >= 1 each: an error if the
  // rest of the bytes cannot hold so many.
  size_t Count(size_t min_item_bytes);
  std::string String() { return std::string(StringView()); }
  absl::string_view StringView();
  absl::string_view Raw(size_t size);
  // Skips to the next multiple of `alignment` from the start; what is skipped
  // must be zero.
  void AlignTo(size_t alignment);

  // Marks the bytes as bad, for what only the caller can see.
  void Fail() { ok_ = false; }

  bool ok() const { return ok_; }
  bool AtEnd() const { return position_ == bytes_.size(); }
  // Bytes read so far; after an error, where the bad item starts.
  size_t position() const { return position_; }

 private:
  uint64_t Integer(int bytes);
  size_t remaining() const { return bytes_.size() - position_; }

  absl::string_view bytes_;
  size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_BYTE_IO_H_
