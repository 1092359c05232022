// Converts the facts of a device (runtime/measure/device_facts.h) to messages
// (rpc/proto/facts.proto) and back:
//
//   runtime::DeviceFacts facts = runtime::DescribeHost();
//   facts.board = "rack1-03";
//   *hello.mutable_facts() = FactsMessage(facts);
//
//   ASSAY_RETURN_IF_ERROR(CheckFacts(lease.facts()));
//   const runtime::DeviceFacts facts = FactsFrom(lease.facts());
//
// Facts that were received are not trusted. The fingerprint becomes the name of
// a file of baselines, and the other texts are printed on terminals and in
// reports; all are limited in number, size and characters. Texts of this
// machine that break a limit are changed before they are sent, so that an odd
// board can still be a device of the farm.
#ifndef ASSAY_RPC_FACTS_FACTS_MESSAGE_H_
#define ASSAY_RPC_FACTS_FACTS_MESSAGE_H_

#include <cstddef>

#include "absl/status/status.h"
#include "rpc/proto/facts.pb.h"
#include "runtime/measure/device_facts.h"

namespace assay::rpc {

// Entries of `identity`, and of `state`.
constexpr int kMaxFacts = 64;
// Bytes of the name of an entry, of the fingerprint, and of the board.
constexpr size_t kMaxFactName = 64;
constexpr size_t kMaxFingerprint = 128;
constexpr size_t kMaxBoard = 128;
// Bytes of the value of an entry. The longest one is the list of instruction
// set extensions.
constexpr size_t kMaxFactValue = 2048;
// Bytes of the whole message. The tracker accepts no more.
constexpr size_t kMaxFactsMessage = 32 << 10;

// Returns a message for which CheckFacts() returns OK, except if the
// fingerprint is empty. Characters that are not permitted are replaced by `?`,
// or by `-` in the fingerprint. Texts that are too long are cut, and entries
// beyond a limit are left out.
DeviceFacts FactsMessage(const runtime::DeviceFacts& facts);

// Returns InvalidArgument, with the name of the field, unless
//   - the fingerprint has 1 to kMaxFingerprint letters, digits and characters
//     of `._-`, and does not start with `.`;
//   - the message has at most kMaxFactsMessage bytes;
//   - there are at most kMaxFacts entries in each map, the names of which have
//     1 to kMaxFactName letters, digits and characters of `._-`;
//   - values and the board are not too long and have no control characters.
absl::Status CheckFacts(const DeviceFacts& message);

runtime::DeviceFacts FactsFrom(const DeviceFacts& message);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_FACTS_FACTS_MESSAGE_H_
