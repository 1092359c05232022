#include "compiler/schedule/steps.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

const char* ScopeName(expr::Scope scope) {
  return scope == expr::Scope::kLocal ? "local" : "global";
}

// ` -> a, b`, or nothing for results not named yet.
std::string Arrow(const std::vector<std::string>& results) {
  if (results[0].empty()) return "";
  return absl::StrCat(" -> ", absl::StrJoin(results, ", "));
}

struct StepPrinter {
  std::string operator()(const Split& s) const {
    return absl::StrCat(s.stage, ".split(", s.axis, ", ", s.factor,
                        s.tail == Tail::kShift ? ", shift)" : ")",
                        Arrow({s.outer, s.inner}));
  }
  std::string operator()(const Fuse& s) const {
    return absl::StrCat(s.stage, ".fuse(", s.outer, ", ", s.inner, ")",
                        Arrow({s.fused}));
  }
  std::string operator()(const Reorder& s) const {
    return absl::StrCat(s.stage, ".reorder(", absl::StrJoin(s.axes, ", "), ")");
  }
  std::string operator()(const Vectorize& s) const {
    return absl::StrCat(s.stage, ".vectorize(", s.axis, ")");
  }
  std::string operator()(const Unroll& s) const {
    return absl::StrCat(s.stage, ".unroll(", s.axis, ")");
  }
  std::string operator()(const Parallel& s) const {
    return absl::StrCat(s.stage, ".parallel(", s.axis, ")");
  }
  std::string operator()(const Bind& s) const {
    return absl::StrCat(s.stage, ".bind(", s.axis, ", ", s.tag, ")");
  }
  std::string operator()(const Pragma& s) const {
    return absl::StrCat(s.stage, ".pragma(", s.axis, ", ", s.key, ", ", s.value,
                        ")");
  }
  std::string operator()(const ComputeAt& s) const {
    return absl::StrCat(s.stage, ".compute_at(", s.consumer, ", ", s.axis, ")");
  }
  std::string operator()(const ComputeInline& s) const {
    return absl::StrCat(s.stage, ".compute_inline()");
  }
  std::string operator()(const CacheWrite& s) const {
    return absl::StrCat(s.stage, ".cache_write(", ScopeName(s.scope), ")",
                        Arrow({s.cache}));
  }
  std::string operator()(const SetScope& s) const {
    return absl::StrCat(s.stage, ".set_scope(", ScopeName(s.scope), ")");
  }
};

// A step's text taken apart.
struct Line {
  std::string stage, primitive;
  std::vector<std::string> args, results;
};

bool IsName(absl::string_view text) {
  if (text.empty()) return false;
  for (char c : text) {
    if (!absl::ascii_isalnum(c) && c != '_' && c != '.') return false;
  }
  return true;
}

// The comma-separated names in `text`; an empty list if it is blank.
absl::StatusOr<std::vector<std::string>> SplitNames(absl::string_view text) {
  std::vector<std::string> names;
  if (absl::StripAsciiWhitespace(text).empty()) return names;
  for (absl::string_view piece : absl::StrSplit(text, ',')) {
    piece = absl::StripAsciiWhitespace(piece);
    // A sign may only lead a number; ReadInt() looks at the rest.
    absl::string_view body = piece;
    if (!body.empty() && body[0] == '-') body.remove_prefix(1);
    if (!IsName(body)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", piece, "` is not a name"));
    }
    names.emplace_back(piece);
  }
  return names;
}

absl::StatusOr<Line> TakeApart(absl::string_view text) {
  Line line;
  const size_t open = text.find('('), close = text.find(')');
  if (open == absl::string_view::npos || close == absl::string_view::npos ||
      close < open) {
    return absl::InvalidArgumentError("a step is `stage.primitive(arguments)`");
  }
  const absl::string_view head = text.substr(0, open);
  const size_t dot = head.rfind('.');
  if (dot == absl::string_view::npos || !IsName(head.substr(0, dot))) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", head, "` does not name a stage and a primitive"));
  }
  line.stage = std::string(head.substr(0, dot));
  line.primitive = std::string(head.substr(dot + 1));
  ASSAY_ASSIGN_OR_RETURN(line.args,
                         SplitNames(text.substr(open + 1, close - open - 1)));
  absl::string_view rest = absl::StripAsciiWhitespace(text.substr(close + 1));
  if (rest.empty()) return line;
  if (rest.substr(0, 2) != "->") {
    return absl::InvalidArgumentError(
        absl::StrCat("`", rest, "` after the step, expected `-> names`"));
  }
  ASSAY_ASSIGN_OR_RETURN(line.results, SplitNames(rest.substr(2)));
  return line;
}

absl::Status Expect(const Line& line, size_t args, size_t results) {
  if (line.args.size() != args) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", line.primitive, "` takes ", args, " arguments, not ",
                     line.args.size()));
  }
  if (!line.results.empty() && line.results.size() != results) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", line.primitive, "` has ", results, " results, not ",
                     line.results.size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> ReadInt(const std::string& text) {
  int64_t value = 0;
  if (!absl::SimpleAtoi(text, &value)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is not a whole number"));
  }
  return value;
}

absl::StatusOr<expr::Scope> ReadScope(const std::string& text) {
  if (text == "local") return expr::Scope::kLocal;
  if (text == "global") return expr::Scope::kGlobal;
  return absl::InvalidArgumentError(
      absl::StrCat("`", text, "` is not a scope, use `local` or `global`"));
}

std::string ResultOrEmpty(const Line& line, size_t i) {
  return i < line.results.size() ? line.results[i] : "";
}

absl::StatusOr<Step> ReadSplit(const Line& line) {
  Split step;
  const bool has_tail = line.args.size() == 3;
  ASSAY_RETURN_IF_ERROR(Expect(line, has_tail ? 3 : 2, 2));
  if (has_tail && line.args[2] != "shift" && line.args[2] != "guard") {
    return absl::InvalidArgumentError(absl::StrCat(
        "`", line.args[2], "` is not a tail, use `guard` or `shift`"));
  }
  step.stage = line.stage;
  step.axis = line.args[0];
  ASSAY_ASSIGN_OR_RETURN(step.factor, ReadInt(line.args[1]));
  if (has_tail && line.args[2] == "shift") step.tail = Tail::kShift;
  step.outer = ResultOrEmpty(line, 0);
  step.inner = ResultOrEmpty(line, 1);
  return Step(step);
}

absl::StatusOr<Step> ReadPragma(const Line& line) {
  ASSAY_RETURN_IF_ERROR(Expect(line, 3, 0));
  Pragma step{line.stage, line.args[0], line.args[1]};
  ASSAY_ASSIGN_OR_RETURN(step.value, ReadInt(line.args[2]));
  return Step(step);
}

absl::StatusOr<Step> ReadScoped(const Line& line) {
  const bool cache = line.primitive == "cache_write";
  ASSAY_RETURN_IF_ERROR(Expect(line, 1, cache ? 1 : 0));
  expr::Scope scope = expr::Scope::kLocal;
  ASSAY_ASSIGN_OR_RETURN(scope, ReadScope(line.args[0]));
  if (!cache) return Step(SetScope{line.stage, scope});
  return Step(CacheWrite{line.stage, scope, ResultOrEmpty(line, 0)});
}

absl::StatusOr<Step> ReadStep(const Line& line) {
  const std::string& p = line.primitive;
  if (p == "split") return ReadSplit(line);
  if (p == "pragma") return ReadPragma(line);
  if (p == "cache_write" || p == "set_scope") return ReadScoped(line);
  if (p == "reorder") {
    ASSAY_RETURN_IF_ERROR(Expect(line, line.args.size(), 0));
    return Step(Reorder{line.stage, line.args});
  }
  if (p == "fuse") {
    ASSAY_RETURN_IF_ERROR(Expect(line, 2, 1));
    return Step(
        Fuse{line.stage, line.args[0], line.args[1], ResultOrEmpty(line, 0)});
  }
  if (p == "vectorize" || p == "unroll" || p == "parallel") {
    ASSAY_RETURN_IF_ERROR(Expect(line, 1, 0));
    if (p == "vectorize") return Step(Vectorize{line.stage, line.args[0]});
    if (p == "unroll") return Step(Unroll{line.stage, line.args[0]});
    return Step(Parallel{line.stage, line.args[0]});
  }
  if (p == "bind") {
    ASSAY_RETURN_IF_ERROR(Expect(line, 2, 0));
    return Step(Bind{line.stage, line.args[0], line.args[1]});
  }
  if (p == "compute_at") {
    ASSAY_RETURN_IF_ERROR(Expect(line, 2, 0));
    return Step(ComputeAt{line.stage, line.args[0], line.args[1]});
  }
  if (p == "compute_inline") {
    ASSAY_RETURN_IF_ERROR(Expect(line, 0, 0));
    return Step(ComputeInline{line.stage});
  }
  return absl::InvalidArgumentError(
      absl::StrCat("`", p, "` is not a schedule primitive"));
}

absl::StatusOr<Step> ParseLine(absl::string_view text) {
  ASSAY_ASSIGN_OR_RETURN(Line line, TakeApart(text));
  if (!line.results.empty() && line.primitive != "split" &&
      line.primitive != "fuse" && line.primitive != "cache_write") {
    return absl::InvalidArgumentError(
        absl::StrCat("`", line.primitive, "` has no results"));
  }
  return ReadStep(line);
}

}  // namespace

const std::string& StageOf(const Step& step) {
  return std::visit([](const auto& s) -> const std::string& { return s.stage; },
                    step);
}

std::string ToString(const Step& step) {
  return std::visit(StepPrinter(), step);
}

absl::StatusOr<std::vector<Step>> ParseSteps(absl::string_view text) {
  std::vector<Step> steps;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    absl::StatusOr<Step> step = ParseLine(line);
    if (!step.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "schedule line ", number, ": ", step.status().message()));
    }
    steps.push_back(*std::move(step));
  }
  return steps;
}

}  // namespace assay::schedule
