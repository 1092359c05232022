// DrawKind: which kinds of hostile messages a program gets, and how many of
// each.
#ifndef ASSAY_TESTS_FARM_ATTACK_ATTACK_MIX_H_
#define ASSAY_TESTS_FARM_ATTACK_ATTACK_MIX_H_

#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/random.h"

namespace assay {

// The programs.
inline constexpr char kTracker[] = "tracker";
inline constexpr char kServer[] = "server";
inline constexpr char kProxy[] = "proxy";

// Returns a kind of hostile_messages.h or hostile_bytes.h.
std::string DrawKind(absl::string_view program, Rng& rng);

// Returns true for the kinds of hostile_bytes.h.
bool IsOfBytes(absl::string_view kind);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_ATTACK_MIX_H_
