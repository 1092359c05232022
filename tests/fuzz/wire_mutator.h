// MutateModel: a structure-aware mutator of serialised ModelProtos.
//
// Random changes of bytes rarely get past the Protobuf parser, because messages
// are length-delimited. This mutator parses the wire format into messages and
// fields; changes, removes, duplicates, swaps or copies a few fields; and
// serialises the result with correct lengths. Bytes that cannot be parsed are
// treated as opaque.
#ifndef ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_
#define ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_

#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/random.h"

namespace assay::fuzz {

// Mutates the bytes of a string field. If null, MutateModel() flips bits.
using MutateBytes = std::function<std::string(std::string bytes)>;

// Applies one to three mutations. Fields may also be copied from the model
// `other`, which may be empty.
std::string MutateModel(absl::string_view model, absl::string_view other,
                        Rng& rng, const MutateBytes& mutate_bytes = nullptr);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_
