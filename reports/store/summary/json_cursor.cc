#include "reports/store/summary/json_cursor.h"

#include <cstring>
#include <system_error>

#include "absl/strings/charconv.h"
#include "absl/strings/numbers.h"

namespace assay::reports {
namespace {

// No record is nested as deep.
constexpr int kMaxDepth = 64;

void AppendUtf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    out->push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out->push_back(static_cast<char>(0xc0 | (code >> 6)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else if (code < 0x10000) {
    out->push_back(static_cast<char>(0xe0 | (code >> 12)));
    out->push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3f)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else {
    out->push_back(static_cast<char>(0xf0 | (code >> 18)));
    out->push_back(static_cast<char>(0x80 | ((code >> 12) & 0x3f)));
    out->push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3f)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3f)));
  }
}

}  // namespace

void JsonCursor::SkipSpace() {
  while (at_ != end_ &&
         (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) {
    ++at_;
  }
}

bool JsonCursor::TryTake(char c) {
  if (!ok_) return false;
  SkipSpace();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

bool JsonCursor::Take(char c) {
  if (!TryTake(c)) ok_ = false;
  return ok_;
}

bool JsonCursor::TakeWord(absl::string_view word) {
  if (!ok_) return false;
  SkipSpace();
  if (static_cast<size_t>(end_ - at_) < word.size() ||
      std::memcmp(at_, word.data(), word.size()) != 0) {
    return false;
  }
  at_ += word.size();
  return true;
}

bool JsonCursor::AtEnd() {
  SkipSpace();
  return ok_ && at_ == end_;
}

void JsonCursor::String(std::string* out) {
  if (!Take('"')) return;
  const char* const first = at_;
  while (at_ != end_ && *at_ != '"' && *at_ != '\\' &&
         static_cast<unsigned char>(*at_) >= 0x20) {
    ++at_;
  }
  out->assign(first, at_);
  if (at_ != end_ && *at_ == '"') {
    ++at_;
    return;
  }
  EscapedString(out);
}

bool JsonCursor::HexDigits(uint32_t* code) {
  if (end_ - at_ < 4 || !absl::SimpleHexAtoi(absl::string_view(at_, 4), code)) {
    return false;
  }
  at_ += 4;
  return true;
}

void JsonCursor::EscapedString(std::string* out) {
  while (at_ != end_ && *at_ != '"') {
    if (*at_ == '\\') {
      if (!Escape(out)) return Fail();
    } else if (static_cast<unsigned char>(*at_) < 0x20) {
      return Fail();
    } else {
      out->push_back(*at_++);
    }
  }
  if (at_ == end_) return Fail();
  ++at_;
}

bool JsonCursor::Escape(std::string* out) {
  if (end_ - at_ < 2) return false;
  const char kind = at_[1];
  at_ += 2;
  if (kind == 'u') {
    uint32_t code = 0;
    if (!HexDigits(&code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
      uint32_t low = 0;
      if (end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') return false;
      at_ += 2;
      if (!HexDigits(&low) || low < 0xdc00 || low > 0xdfff) return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
      return false;
    }
    AppendUtf8(code, out);
    return true;
  }
  static constexpr char kFrom[] = "\"\\/bfnrt";
  static constexpr char kTo[] = "\"\\/\b\f\n\r\t";
  const char* const found = kind == '\0' ? nullptr : std::strchr(kFrom, kind);
  if (found == nullptr) return false;
  out->push_back(kTo[found - kFrom]);
  return true;
}

void JsonCursor::Number(double* out) {
  if (!ok_) return;
  SkipSpace();
  const absl::from_chars_result result = absl::from_chars(at_, end_, *out);
  // from_chars() also accepts words such as `nan`.
  const bool is_digit =
      at_ != end_ && (*at_ == '-' || (*at_ >= '0' && *at_ <= '9'));
  if (result.ec != std::errc() || !is_digit) {
    ok_ = false;
    return;
  }
  at_ = result.ptr;
}

void JsonCursor::Integer(int64_t* out) {
  if (!ok_) return;
  SkipSpace();
  const char* const first = at_;
  while (at_ != end_ && (*at_ == '-' || (*at_ >= '0' && *at_ <= '9'))) ++at_;
  const bool whole = at_ == end_ || (*at_ != '.' && *at_ != 'e' && *at_ != 'E');
  if (!whole ||
      !absl::SimpleAtoi(
          absl::string_view(first, static_cast<size_t>(at_ - first)), out)) {
    ok_ = false;
  }
}

void JsonCursor::Bool(bool* out) {
  if (TakeWord("true")) {
    *out = true;
  } else if (TakeWord("false")) {
    *out = false;
  } else {
    ok_ = false;
  }
}

bool JsonCursor::Null() { return TakeWord("null"); }

void JsonCursor::Skip() {
  if (!ok_) return;
  SkipSpace();
  if (at_ == end_ || depth_ == kMaxDepth) {
    ok_ = false;
    return;
  }
  switch (*at_) {
    case '{':
      ++depth_;
      Object([this](absl::string_view) { Skip(); });
      --depth_;
      return;
    case '[':
      ++depth_;
      Array([this] { Skip(); });
      --depth_;
      return;
    case '"': {
      ++at_;
      while (at_ != end_ && *at_ != '"') {
        if (*at_ == '\\' && ++at_ == end_) break;
        ++at_;
      }
      if (at_ == end_) {
        ok_ = false;
        return;
      }
      ++at_;
      return;
    }
    case 't':
    case 'f': {
      bool value;
      Bool(&value);
      return;
    }
    case 'n':
      if (!Null()) ok_ = false;
      return;
    default: {
      const char* const first = at_;
      while (at_ != end_ &&
             ((*at_ >= '0' && *at_ <= '9') || *at_ == '-' || *at_ == '+' ||
              *at_ == '.' || *at_ == 'e' || *at_ == 'E')) {
        ++at_;
      }
      if (at_ == first) ok_ = false;
    }
  }
}

}  // namespace assay::reports
