// Changes to the bytes of a ModelProto that leave most of it a ModelProto.
//
// Bytes changed at random seldom get past the parser: every message is led by
// its length. Here the bytes are taken apart into messages and fields, by what
// the format says lies where, a few fields are changed, removed, repeated,
// swapped or copied from elsewhere, and lengths are written anew. Whatever
// cannot be taken apart stays as it is.
#ifndef ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_
#define ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_

#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/random.h"

namespace assay::fuzz {

// Changes some bytes; null leaves them to `rng`.
using MutateBytes = std::function<std::string(std::string bytes)>;

// One to three changes. Fields come from `other` as well, a model that may be
// empty.
std::string MutateModel(absl::string_view model, absl::string_view other,
                        Rng& rng, const MutateBytes& mutate_bytes = nullptr);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_WIRE_MUTATOR_H_
