// Macros that return from the enclosing function if an absl::Status or
// absl::StatusOr contains an error.
//
//   ASSAY_RETURN_IF_ERROR(graph.Verify());
//   ASSAY_ASSIGN_OR_RETURN(Artifact artifact, ReadArtifact(bytes));
//
// Both macros evaluate their expression once and return the error unchanged.
// Callers need not add context, because the code that creates an error names
// the offending node, file or flag. The enclosing function or lambda must
// return Status or StatusOr.
#ifndef ASSAY_RUNTIME_BASE_STATUS_MACROS_H_
#define ASSAY_RUNTIME_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define ASSAY_RETURN_IF_ERROR(expr)                \
  do {                                             \
    ::absl::Status assay_status_ = (expr);         \
    if (!assay_status_.ok()) return assay_status_; \
  } while (false)

#define ASSAY_STATUS_CONCAT_INNER_(a, b) a##b
#define ASSAY_STATUS_CONCAT_(a, b) ASSAY_STATUS_CONCAT_INNER_(a, b)

#define ASSAY_ASSIGN_OR_RETURN(lhs, expr) \
  ASSAY_ASSIGN_OR_RETURN_IMPL_(           \
      ASSAY_STATUS_CONCAT_(assay_statusor_, __LINE__), lhs, expr)

#define ASSAY_ASSIGN_OR_RETURN_IMPL_(statusor, lhs, expr) \
  auto statusor = (expr);                                 \
  if (!statusor.ok()) return statusor.status();           \
  lhs = *std::move(statusor)

#endif  // ASSAY_RUNTIME_BASE_STATUS_MACROS_H_
