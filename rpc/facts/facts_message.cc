#include "rpc/facts/facts_message.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/map.h"
#include "rpc/names/names.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

using Map = google::protobuf::Map<std::string, std::string>;

bool IsFactName(absl::string_view name, size_t max_size) {
  return !name.empty() && name.size() <= max_size &&
         std::all_of(name.begin(), name.end(), IsNameCharacter);
}

// Protobuf guarantees that a received text is UTF-8.
bool IsText(absl::string_view text, size_t max_size) {
  return text.size() <= max_size &&
         std::none_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_iscntrl(static_cast<unsigned char>(c));
         });
}

// Returns the text as printable ASCII of at most `max_size` bytes.
std::string Printable(absl::string_view text, size_t max_size) {
  std::string printable(text.substr(0, max_size));
  for (char& c : printable) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return printable;
}

std::string Name(absl::string_view text, size_t max_size) {
  std::string name(text.substr(0, max_size));
  for (char& c : name) {
    if (!IsNameCharacter(c)) c = '-';
  }
  if (!name.empty() && name[0] == '.') name[0] = '-';
  return name;
}

// Adds entries to `map` while `left`, a number of bytes, is enough for them.
void Fill(const std::map<std::string, std::string>& facts, size_t* left,
          Map* map) {
  // The tags and sizes of an entry have fewer bytes.
  constexpr size_t kOverhead = 16;
  for (const auto& [name, value] : facts) {
    if (map->size() == kMaxFacts) break;
    const std::string valid = Name(name, kMaxFactName);
    const std::string text = Printable(value, kMaxFactValue);
    const size_t size = valid.size() + text.size() + kOverhead;
    if (valid.empty() || size > *left) continue;
    *left -= size;
    (*map)[valid] = text;
  }
}

absl::Status CheckMap(absl::string_view field, const Map& map) {
  if (map.size() > kMaxFacts) {
    return absl::InvalidArgumentError(
        absl::StrCat("the facts of a device have ", map.size(), " entries in `",
                     field, "`; the limit is ", kMaxFacts));
  }
  for (const auto& [name, value] : map) {
    if (!IsFactName(name, kMaxFactName)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the facts of a device have the entry `",
                       absl::CHexEscape(name.substr(0, kMaxFactName)), "` in `",
                       field, "`, which is not 1 to ", kMaxFactName,
                       " letters, digits and characters of `._-`"));
    }
    if (!IsText(value, kMaxFactValue)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the value of `", name, "` in `", field,
                       "` of the facts of a device is longer than ",
                       kMaxFactValue, " bytes or has control characters"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

DeviceFacts FactsMessage(const runtime::DeviceFacts& facts) {
  DeviceFacts message;
  message.set_fingerprint(Name(facts.fingerprint, kMaxFingerprint));
  size_t left = kMaxFactsMessage - kMaxFingerprint - kMaxBoard - 16;
  Fill(facts.identity, &left, message.mutable_identity());
  Fill(facts.state, &left, message.mutable_state());
  message.set_emulated(facts.emulated);
  message.set_board(Printable(facts.board, kMaxBoard));
  return message;
}

absl::Status CheckFacts(const DeviceFacts& message) {
  if (message.ByteSizeLong() > kMaxFactsMessage) {
    return absl::InvalidArgumentError(
        absl::StrCat("the facts of a device have ", message.ByteSizeLong(),
                     " bytes; the limit is ", kMaxFactsMessage));
  }
  if (!IsFactName(message.fingerprint(), kMaxFingerprint) ||
      message.fingerprint()[0] == '.') {
    return absl::InvalidArgumentError(absl::StrCat(
        "the fingerprint of a device, `",
        absl::CHexEscape(message.fingerprint().substr(0, kMaxFingerprint)),
        "`, is not 1 to ", kMaxFingerprint,
        " letters, digits and characters of `._-`"));
  }
  ASSAY_RETURN_IF_ERROR(CheckMap("identity", message.identity()));
  ASSAY_RETURN_IF_ERROR(CheckMap("state", message.state()));
  if (!IsText(message.board(), kMaxBoard)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the `board` of the facts of a device is longer than ",
                     kMaxBoard, " bytes or has control characters"));
  }
  return absl::OkStatus();
}

runtime::DeviceFacts FactsFrom(const DeviceFacts& message) {
  runtime::DeviceFacts facts;
  facts.fingerprint = message.fingerprint();
  facts.identity.insert(message.identity().begin(), message.identity().end());
  facts.state.insert(message.state().begin(), message.state().end());
  facts.emulated = message.emulated();
  facts.board = message.board();
  return facts;
}

}  // namespace assay::rpc
