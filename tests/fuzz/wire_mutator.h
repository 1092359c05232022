// MutateModel: a structure-aware mutator of serialized ModelProtos for fuzzing.
//
// After random changes of bytes, Protobuf can rarely parse a message, because
// the lengths of nested messages become wrong. This mutator therefore parses
// the wire format into messages and fields. It changes, removes, duplicates,
// swaps or copies a few fields, and serializes the result with correct lengths.
// A nested message that cannot be parsed is treated as a string.
#ifndef ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_
#define ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_

#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/random.h"

namespace assay::fuzz {

// Returns a mutated copy of the bytes of a string field.
using MutateBytes = std::function<std::string(std::string bytes)>;

// Applies one to three mutations to `model` and returns the result. Fields are
// copied from `model` or from the model `other`, which may be empty. If
// `mutate_bytes` is null, string fields are mutated by flipping a bit. Returns
// `model` unchanged if it cannot be parsed.
std::string MutateModel(absl::string_view model, absl::string_view other,
                        Rng& rng, const MutateBytes& mutate_bytes = nullptr);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_
