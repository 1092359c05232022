// Libpq: the functions of libpq, the client library of PostgreSQL, that this
// folder calls. The library is opened when the first connection is made, so a
// program that uses no PostgreSQL store needs none of its libraries.
//
// The declarations are those of libpq-fe.h. Source: chapter 34 of the manual of
// PostgreSQL 15, "libpq - C Library".
#ifndef ASSAY_REPORTS_STORE_POSTGRES_LIBPQ_H_
#define ASSAY_REPORTS_STORE_POSTGRES_LIBPQ_H_

#include <libpq-fe.h>

#include "absl/status/statusor.h"

namespace assay::reports {

struct Libpq {
  decltype(&PQclear) clear;
  decltype(&PQcmdTuples) affected_rows;
  decltype(&PQconnectPoll) connect_poll;
  decltype(&PQconnectStartParams) connect_start;
  decltype(&PQconninfoFree) free_options;
  decltype(&PQconninfoParse) parse_options;
  decltype(&PQerrorMessage) error_message;
  decltype(&PQexecParams) execute;
  decltype(&PQfinish) finish;
  decltype(&PQfreemem) free_memory;
  decltype(&PQgetisnull) is_null;
  decltype(&PQgetlength) length;
  decltype(&PQgetvalue) value;
  decltype(&PQntuples) rows;
  decltype(&PQresultErrorField) error_field;
  decltype(&PQresultStatus) result_status;
  decltype(&PQsetNoticeProcessor) set_notice_processor;
  decltype(&PQsocket) socket;
  decltype(&PQstatus) status;
};

// Returns the functions of the library in the runfiles of this program. Returns
// NotFound or Unavailable, with the file, if it cannot be opened; the answer is
// the same for all calls of a process.
absl::StatusOr<const Libpq*> LoadLibpq();

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_LIBPQ_H_
