// Acknowledgement: a decision of a person about the level of cells, so that a
// known change is not reported every night.
//
//   acknowledge   the new level is known, and somebody works on it
//   bless         the new level is accepted
//   ignore        no level of these cells is reported
//   withdraw      earlier decisions about these cells no longer hold
//
// The first two are silent about the levels at which they were made: if a level
// moves again, it is reported again. They hold for the cells and machines whose
// levels they contain.
//
// In a store, an acknowledgement is a file `<time>-<random>.acks` with one line
// (checked_line.h):
//
//   {"id":"<64 hex digits>","acknowledgement":{"kind":"bless","cell":"zoo/*",
//    "author":"ada","reason":"…","made_at":"2024-05-01T12:00:00.5Z",
//    "until":"2024-06-01T00:00:00Z","tolerance":0.02,
//    "levels":[{"cell":"…","machine":"…","median_ms":1.5}]}}
//
// Files are only added, and copies are recognized by their id. Stores with
// acknowledgements are therefore merged like all stores.
#ifndef ASSAY_REPORTS_STORE_ACKNOWLEDGEMENT_H_
#define ASSAY_REPORTS_STORE_ACKNOWLEDGEMENT_H_

#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace assay::reports {

// The latency of a cell on a machine.
struct Level {
  std::string cell;     // a name (cell_name.h)
  std::string machine;  // Row::fingerprint
  double median_ms = 0;

  auto Fields() const { return std::tie(cell, machine, median_ms); }
};

struct Acknowledgement {
  enum class Kind { kAcknowledge, kBless, kIgnore, kWithdraw };

  Kind kind = Kind::kAcknowledge;
  std::string cell;  // a pattern (cell_name.h)
  std::string author;
  std::string reason;
  // UTC, with a fraction of a second.
  std::string made_at;
  // The time at which it expires, for example `2024-06-01T00:00:00Z`; empty if
  // it does not expire.
  std::string until;
  // A level within this fraction of the one in `levels` has not moved.
  double tolerance = 0.02;
  // The levels of the matching cells when the decision was made.
  std::vector<Level> levels;

  auto Fields() const {
    return std::tie(kind, cell, author, reason, made_at, until, tolerance,
                    levels);
  }
};

bool operator==(const Level& a, const Level& b);
bool operator==(const Acknowledgement& a, const Acknowledgement& b);

// Names of the kinds, in the order of the enumeration.
absl::Span<const absl::string_view> AcknowledgementKinds();
absl::string_view KindName(Acknowledgement::Kind kind);
// Returns InvalidArgument, with `name`, if there is no such kind.
absl::StatusOr<Acknowledgement::Kind> ParseKind(absl::string_view name);

// Returns the line, including the line break. Bytes that are not UTF-8 are
// replaced by U+FFFD.
std::string FormatAcknowledgement(const Acknowledgement& acknowledgement);

// Parses the output of FormatAcknowledgement(). Returns the errors of BodyOf(),
// and OutOfRange if the checksum is correct but the line cannot be parsed.
absl::StatusOr<Acknowledgement> ParseAcknowledgement(absl::string_view line);

bool HasExpired(const Acknowledgement& acknowledgement, absl::Time now);

// Returns the acknowledgement that silences a cell at this level, or null. Of
// those that match the cell and have not expired, the last one decides.
// `acknowledgements` may have any order.
const Acknowledgement* SilencedBy(
    absl::Span<const Acknowledgement> acknowledgements, const Level& level,
    absl::Time now);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_ACKNOWLEDGEMENT_H_
