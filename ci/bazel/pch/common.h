// The headers that most sources of this repository include (ci/bazel/pch.bzl).
// One that few sources need makes all others slower to compile.
#ifndef ASSAY_CI_BAZEL_PCH_COMMON_H_
#define ASSAY_CI_BAZEL_PCH_COMMON_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"

#endif  // ASSAY_CI_BAZEL_PCH_COMMON_H_
