#include "rpc/tracker/service/outbox.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

using Step = OutboxStep;
using TextOutbox = Outbox<std::string, 2>;

TEST(OutboxTest, OneMessageIsWrittenAtATime) {
  TextOutbox outbox;
  EXPECT_EQ(outbox.Put(0, "a"), Step::kWrite);
  EXPECT_EQ(*outbox.message(), "a");
  EXPECT_EQ(outbox.Put(0, "b"), Step::kNothing);
  EXPECT_EQ(*outbox.message(), "a");
  EXPECT_EQ(outbox.Written(), Step::kWrite);
  EXPECT_EQ(*outbox.message(), "b");
  EXPECT_EQ(outbox.Written(), Step::kNothing);
}

TEST(OutboxTest, AMessageReplacesTheOneThatWaitsInItsSlot) {
  TextOutbox outbox;
  EXPECT_EQ(outbox.Put(1, "a"), Step::kWrite);
  outbox.Put(1, "b");
  outbox.Put(0, "c");
  outbox.Put(1, "d");
  EXPECT_EQ(outbox.Written(), Step::kWrite);
  EXPECT_EQ(*outbox.message(), "c");
  EXPECT_EQ(outbox.Written(), Step::kWrite);
  EXPECT_EQ(*outbox.message(), "d");
  EXPECT_EQ(outbox.Written(), Step::kNothing);
}

TEST(OutboxTest, CloseWritesWhatWaits) {
  TextOutbox outbox;
  outbox.Put(0, "a");
  outbox.Put(0, "b");
  EXPECT_EQ(outbox.Close(grpc::Status(grpc::StatusCode::ABORTED, "x")),
            Step::kNothing);
  EXPECT_EQ(outbox.Put(1, "late"), Step::kNothing);
  EXPECT_EQ(outbox.Close(grpc::Status::OK), std::nullopt);
  EXPECT_EQ(outbox.PutAndClose(0, "late", grpc::Status::OK), std::nullopt);
  EXPECT_EQ(outbox.Written(), Step::kWriteLast);
  EXPECT_EQ(*outbox.message(), "b");
  EXPECT_EQ(outbox.status().error_message(), "x");
}

TEST(OutboxTest, AnEmptyOutboxFinishesAtOnce) {
  TextOutbox closed;
  EXPECT_EQ(closed.Close(grpc::Status::OK), Step::kFinish);
  EXPECT_EQ(closed.Put(0, "a"), Step::kNothing);
  EXPECT_EQ(closed.Abort(grpc::Status::CANCELLED), Step::kNothing);
  TextOutbox last;
  EXPECT_EQ(last.PutAndClose(0, "a", grpc::Status::OK), Step::kWriteLast);
  EXPECT_EQ(*last.message(), "a");
}

TEST(OutboxTest, AbortDropsWhatWaits) {
  TextOutbox outbox;
  outbox.Put(0, "a");
  outbox.PutAndClose(0, "b", grpc::Status::OK);
  EXPECT_EQ(outbox.Abort(grpc::Status::CANCELLED), Step::kNothing);
  EXPECT_EQ(outbox.Written(), Step::kFinish);
  EXPECT_EQ(outbox.status().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(outbox.Abort(grpc::Status::CANCELLED), Step::kNothing);
}

}  // namespace
}  // namespace assay::rpc
