// ByteWriter and ByteReader: serialisation primitives shared by all binary
// formats of the project. Integers are little-endian and of fixed width; a
// string is its length as u64 followed by its bytes.
//
// The reader accepts untrusted input: it never reads past the end, and Count()
// rejects a number of items that the remaining bytes cannot hold, so a parser
// can allocate the items at once. The error state of the reader is sticky:
// after an error, every read returns zero or an empty string. A parser
// therefore needs to check ok() only once, at the end.
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
  // Writes the number of items that follow; ByteReader::Count() reads it.
  void Count(size_t count) { U64(count); }
  void String(absl::string_view text);
  // Writes the bytes without a length prefix.
  void Raw(absl::string_view bytes);
  // Pads with zeros to the next multiple of `alignment`.
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
  // Reads the number of items that follow. Each item must take at least
  // `min_item_bytes` >= 1 bytes; the read fails if the remaining bytes cannot
  // hold that many items.
  size_t Count(size_t min_item_bytes);
  std::string String() { return std::string(StringView()); }
  // The results of StringView() and Raw() are views of the bytes of the reader.
  absl::string_view StringView();
  absl::string_view Raw(size_t size);
  // Skips padding until position() is a multiple of `alignment`. Fails if a
  // padding byte is not zero.
  void AlignTo(size_t alignment);

  // Sets the error state, for errors that only the caller can detect.
  void Fail() { ok_ = false; }

  bool ok() const { return ok_; }
  bool AtEnd() const { return position_ == bytes_.size(); }
  // Returns the number of bytes read. If a read has failed because bytes are
  // missing, this is the offset of the item that could not be read.
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
