// ServerFixture: the base of tests that share one PostgreSQL server.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_TESTING_SERVER_FIXTURE_H_
#define ASSAY_REPORTS_STORE_POSTGRES_TESTING_SERVER_FIXTURE_H_

#include <memory>
#include <utility>

#include "gtest/gtest.h"
#include "reports/store/postgres/testing/server.h"

namespace assay::reports {

// The server starts before the first test of the suite and ends after the last.
class ServerFixture : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto server = PostgresServer::Start();
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  static void TearDownTestSuite() { server_.reset(); }

  static inline std::unique_ptr<PostgresServer> server_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_TESTING_SERVER_FIXTURE_H_
