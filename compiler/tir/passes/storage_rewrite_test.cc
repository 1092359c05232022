#include "compiler/tir/passes/storage_rewrite.h"

#include "absl/strings/str_cat.h"
#include "compiler/tir/parser.h"
#include "compiler/tir/passes/pass_testing.h"
#include "compiler/tir/verifier.h"
#include "compiler/tir/visitor.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

using expr::Scope;

int64_t Peak(const std::string& text, Scope scope) {
  const auto f = ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status();
  return PeakBytes(f->body, scope);
}

// Three steps; each reads what the previous one wrote.
constexpr char kChain[] = R"(
func chain(in %x: float32[32], out %y: float32[32]) {
  alloc %a: global float32[40]
  alloc %b: global float32[34]
  alloc %c: global float32[48]
  for i in [0, 40) {
    %a[i] = %x[i % 32]
  }
  for i in [0, 34) {
    %b[i] = %a[i] + %a[i + 2]
  }
  parallel i in [0, 48) {
    %c[i] = %b[i % 34]
  }
  for i in [0, 32) {
    %y[i] = %c[i + 1] + %c[i]
  }
})";

TEST(RewriteStorageTest, DisjointLiveRangesShareMemory) {
  const std::string after = RunPass(RewriteStorage, kChain);
  EXPECT_EQ(after, R"(func chain(in %x: float32[32], out %y: float32[32]) {
  alloc %a: global float32[48]
  alloc %b: global float32[34]
  for i in [0, 40) {
    %a[i] = %x[i % 32]
  }
  for i in [0, 34) {
    %b[i] = %a[i] + %a[i + 2]
  }
  parallel i in [0, 48) {
    %a[i] = %b[i % 34]
  }
  for i in [0, 32) {
    %y[i] = %a[i + 1] + %a[i]
  }
}
)");
  EXPECT_EQ(Peak(kChain, Scope::kGlobal), 4 * (40 + 34 + 48));
  EXPECT_EQ(Peak(after, Scope::kGlobal), 4 * (48 + 34));
}

TEST(RewriteStorageTest, ChoosesSmallestSufficientBlock) {
  const std::string after = RunPass(RewriteStorage, R"(
func f(in %x: float32[8], out %y: float32[8]) {
  alloc %a: global float32[8]
  alloc %b: global float32[16]
  alloc %c: global float32[12]
  %a[0] = %x[0]
  %b[0] = %x[1]
  %y[0] = %a[0] + %b[0]
  %c[0] = %x[2]
  for i in [1, +7) {
    %y[i] = %c[0]
  }
})");
  EXPECT_EQ(after, R"(func f(in %x: float32[8], out %y: float32[8]) {
  alloc %b: global float32[16]
  alloc %a: global float32[8]
  %a[0] = %x[0]
  %b[0] = %x[1]
  %y[0] = %a[0] + %b[0]
  %b[0] = %x[2]
  for i in [1, +7) {
    %y[i] = %b[0]
  }
}
)");
}

TEST(RewriteStorageTest, ElementwiseStepsWorkInPlace) {
  const std::string after = RunPass(RewriteStorage, R"(
func f(in %x: float32[4,16], out %y: float32[64]) {
  alloc %a: global float32[64]
  alloc %b: global float32[64]
  for i in [0, 64) {
    %a[i] = %x[i]
  }
  parallel i in [0, 4) {
    for j in [0, 2) {
      %b[ramp(i * 16 + j * 8, 1, 8)] = %a[ramp(i * 16 + j * 8, 1, 8)] * %a[ramp(i * 16 + j * 8, 1, 8)]
    }
  }
  for i in [0, 64) {
    %y[i] = %b[63 - i]
  }
})");
  EXPECT_EQ(after, R"(func f(in %x: float32[4,16], out %y: float32[64]) {
  alloc %a: global float32[64]
  for i in [0, 64) {
    %a[i] = %x[i]
  }
  parallel i in [0, 4) {
    for j in [0, 2) {
      %a[ramp(i * 16 + j * 8, 1, 8)] = %a[ramp(i * 16 + j * 8, 1, 8)] * %a[ramp(i * 16 + j * 8, 1, 8)]
    }
  }
  for i in [0, 64) {
    %y[i] = %a[63 - i]
  }
}
)");
}

// Reasons: element i + 1 is still live; an element is computed twice; another
// statement reads the old value.
TEST(RewriteStorageTest, OtherStepsDoNotWorkInPlace) {
  for (const char* step : {"%b[i] = %a[(i + 1) % 8]", "%b[i / 2] = %a[i / 2]",
                           "%b[i] = %a[i] + 1f\n%c[i] = %a[i]"}) {
    const std::string text = absl::StrCat(R"(
func f(in %x: float32[8], out %y: float32[8], out %c: float32[8]) {
  alloc %a: global float32[8]
  alloc %b: global float32[8]
  for i in [0, 8) {
    %a[i] = %x[i]
    %c[i] = 0f
    %y[i] = 0f
  }
  for i in [0, 8) {
)",
                                          step, R"(
  }
  for i in [0, 4) {
    %y[i] = %b[i]
  }
})");
    const std::string after = RunPass(RewriteStorage, text);
    EXPECT_EQ(Peak(after, Scope::kGlobal), 64) << after;
  }
}

TEST(RewriteStorageTest, ThreadsShareTheirOwnBuffers) {
  EXPECT_EQ(RunPass(RewriteStorage, R"(
func f(in %x: float32[4,600], out %y: float32[4,600]) {
  parallel n in [0, 4) {
    for m in [0, 2) {
      alloc %a: local float32[600]
      for i in [0, 300) {
        %a[i] = %x[n * 600 + m * 300 + i]
      }
      alloc %b: local float32[600]
      for i in [0, 300) {
        %b[i] = %a[299 - i]
      }
      alloc %c: local float32[600]
      for i in [0, 300) {
        %c[i] = %b[299 - i]
      }
      for i in [0, 300) {
        %y[n * 600 + m * 300 + i] = %c[i]
      }
    }
  }
})"),
            R"(func f(in %x: float32[4,600], out %y: float32[4,600]) {
  parallel n in [0, 4) {
    alloc %a: local float32[600]
    for m in [0, 2) {
      for i in [0, 300) {
        %a[i] = %x[n * 600 + m * 300 + i]
      }
      alloc %b: local float32[600]
      for i in [0, 300) {
        %b[i] = %a[299 - i]
      }
      for i in [0, 300) {
        %a[i] = %b[299 - i]
      }
      for i in [0, 300) {
        %y[n * 600 + m * 300 + i] = %a[i]
      }
    }
  }
}
)");
}

TEST(RewriteStorageTest, KeepsOtherAllocations) {
  // Registers, other types, buffers that are live around a loop, and scopes
  // where sharing would increase the peak.
  constexpr char kText[] =
      R"(func f(in %x: float32[8], out %y: float32[8], out %z: int32[8]) {
  alloc %r: local float32[8]
  alloc %a: global float32[8]
  alloc %b: global int32[8]
  alloc %s: local float32[8]
  for i in [0, 8) {
    %r[i] = %x[i]
    %a[i] = %r[i]
    %s[i] = %a[i]
    %y[i] = %s[i]
    %b[i] = i
    %z[i] = %b[i]
  }
}
)";
  EXPECT_EQ(RunPass(RewriteStorage, kText), kText);
  constexpr char kCarried[] = R"(func f(in %x: float32[8], out %y: float32[8]) {
  alloc %a: global float32[8]
  alloc %b: global float32[8]
  %a[0] = %x[0]
  for i in [0, 7) {
    %b[i] = %a[i]
    %y[i] = %b[i]
    %a[i + 1] = %x[i] + %a[i]
  }
  %y[7] = %x[7]
}
)";
  EXPECT_EQ(RunPass(RewriteStorage, kCarried), kCarried);
  constexpr char kScopes[] = R"(func f(in %x: float32[8], out %y: float32[2]) {
  {
    alloc %a: global float32[16]
    %a[0] = %x[0]
    %y[0] = %a[0]
  }
  alloc %b: global float32[8]
  alloc %c: global float32[8]
  %b[0] = %x[1]
  %c[0] = %b[0]
  %y[1] = %b[0] + %c[0]
}
)";
  EXPECT_EQ(RunPass(RewriteStorage, kScopes), kScopes);
}

// Loop partition copies loops, and the copies share the nodes of their buffers.
// %b may be computed in place of %a only in the first copy, which does not read
// it.
TEST(RewriteStorageTest, CopiesOfLoopAreAssignedSeparately) {
  const auto f = ParseFunction(R"(
func f(in %x: float32[8], out %y: float32[8]) {
  parallel i in [0, 8) {
    alloc %a: global float32[1]
    alloc %b: global float32[1]
    %a[0] = %x[i]
    %b[0] = 1f
    %y[i] = 2f
  }
})");
  ASSERT_TRUE(f.ok()) << f.status();
  const auto* loop = f->body.As<For>();
  const auto* a = loop->body.As<Allocate>();
  const auto* b = a->body.As<Allocate>();
  const auto load = [](const Buffer& buffer) {
    return expr::Load::Make(buffer, {0});
  };
  const Stmt reading = Block::Make(
      {b->body,
       Store::Make(f->outputs[0], {loop->var},
                   expr::Add::Make(load(a->buffer), load(b->buffer)))});
  const Expr j = expr::Var::Make("j");
  const Stmt second = For::Make(
      j, 0, 8, ForKind::kParallel,
      Substitute(Allocate::Make(a->buffer, Allocate::Make(b->buffer, reading)),
                 {{loop->var, j}}));
  Function both = *f;
  both.body = Block::Make({f->body, second});
  both.body = RewriteStorage(both.body);
  const absl::Status status = Verify(both);
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace assay::tir
