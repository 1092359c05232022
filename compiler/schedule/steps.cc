#include "compiler/schedule/steps.h"

#include <type_traits>
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

// The text form of every step; used for both printing and parsing.
template <typename F>
void Describe(F& f, Split& s) {
  f.Head("split", s.stage).Args(s.axis, s.factor, s.tail);
  f.Results(s.outer, s.inner);
}
template <typename F>
void Describe(F& f, SplitParts& s) {
  f.Head("split_parts", s.stage).Args(s.axis, s.parts, s.tail);
  f.Results(s.outer, s.inner);
}
template <typename F>
void Describe(F& f, Fuse& s) {
  f.Head("fuse", s.stage).Args(s.outer, s.inner);
  f.Results(s.fused);
}
template <typename F>
void Describe(F& f, Reorder& s) {
  f.Head("reorder", s.stage).Args(s.axes);
}
template <typename F>
void Describe(F& f, Vectorize& s) {
  f.Head("vectorize", s.stage).Args(s.axis);
}
template <typename F>
void Describe(F& f, Unroll& s) {
  f.Head("unroll", s.stage).Args(s.axis);
}
template <typename F>
void Describe(F& f, Parallel& s) {
  f.Head("parallel", s.stage).Args(s.axis);
}
template <typename F>
void Describe(F& f, Bind& s) {
  f.Head("bind", s.stage).Args(s.axis, s.tag);
}
template <typename F>
void Describe(F& f, EnvThreads& s) {
  f.Head("env_threads", s.stage).Args(s.tags);
}
template <typename F>
void Describe(F& f, StorePredicate& s) {
  f.Head("store_predicate", s.stage).Args(s.thread, s.value);
}
template <typename F>
void Describe(F& f, Prefetch& s) {
  f.Head("prefetch", s.stage).Args(s.tensor, s.axis, s.offset);
}
template <typename F>
void Describe(F& f, Tensorize& s) {
  f.Head("tensorize", s.stage).Args(s.axis, s.intrin);
}
template <typename F>
void Describe(F& f, Pragma& s) {
  f.Head("pragma", s.stage).Args(s.axis, s.key, s.value);
}
template <typename F>
void Describe(F& f, ComputeAt& s) {
  f.Head("compute_at", s.stage).Args(s.consumer, s.axis);
}
template <typename F>
void Describe(F& f, ComputeInline& s) {
  f.Head("compute_inline", s.stage);
}
template <typename F>
void Describe(F& f, CacheRead& s) {
  f.Head("cache_read", s.stage).Args(s.scope, s.readers);
  f.Results(s.cache);
}
template <typename F>
void Describe(F& f, CacheWrite& s) {
  f.Head("cache_write", s.stage).Args(s.scope);
  f.Results(s.cache);
}
template <typename F>
void Describe(F& f, RFactor& s) {
  f.Head("rfactor", s.stage).Args(s.axis, s.position);
  f.Results(s.factored);
}
template <typename F>
void Describe(F& f, SetScope& s) {
  f.Head("set_scope", s.stage).Args(s.scope);
}
template <typename F>
void Describe(F& f, StorageAlign& s) {
  f.Head("storage_align", s.stage).Args(s.axis, s.factor, s.offset);
}
template <typename F>
void Describe(F& f, DoubleBuffer& s) {
  f.Head("double_buffer", s.stage);
}
template <typename F>
void Describe(F& f, TransformLayout& s) {
  f.Head("transform_layout", s.stage).Args(s.parts);
}

class Printer {
 public:
  Printer& Head(const char* name, const std::string& stage) {
    text_ = absl::StrCat(stage, ".", name, "(");
    return *this;
  }
  template <typename... Fields>
  void Args(const Fields&... fields) {
    (Add(fields), ...);
  }
  // Appends ` -> a, b`; nothing if the results have no names yet.
  template <typename... Names>
  void Results(const std::string& first, const Names&... rest) {
    if (first.empty()) return;
    results_ = absl::StrCat(
        " -> ", absl::StrJoin(std::vector<std::string>{first, rest...}, ", "));
  }
  std::string Text() const {
    return absl::StrCat(text_, absl::StrJoin(args_, ", "), ")", results_);
  }

 private:
  void Add(const std::string& name) { args_.push_back(name); }
  void Add(int64_t value) { args_.push_back(absl::StrCat(value)); }
  void Add(Tail tail) {
    if (tail == Tail::kShiftInwards) args_.push_back("shift_inwards");
  }
  void Add(expr::Scope scope) {
    args_.push_back(scope == expr::Scope::kLocal ? "local" : "global");
  }
  void Add(const std::vector<std::string>& names) {
    args_.insert(args_.end(), names.begin(), names.end());
  }
  void Add(const std::vector<LayoutPart>& parts) {
    for (const LayoutPart& part : parts) {
      args_.push_back(part.axis);
      if (part.factor == 0) continue;
      absl::StrAppend(&args_.back(), part.remainder ? "%" : "/", part.factor);
    }
  }

  std::string text_, results_;
  std::vector<std::string> args_;
};

// The components of a step's text.
struct Line {
  std::string stage, primitive;
  std::vector<std::string> args, results;
};

// `more` are additional valid characters.
bool IsName(absl::string_view text, absl::string_view more = "") {
  if (text.empty()) return false;
  for (char c : text) {
    if (!absl::ascii_isalnum(c) && c != '_' && c != '.' &&
        more.find(c) == absl::string_view::npos) {
      return false;
    }
  }
  return true;
}

// Splits comma-separated names; returns an empty list if `text` is blank.
absl::StatusOr<std::vector<std::string>> SplitNames(absl::string_view text) {
  std::vector<std::string> names;
  if (absl::StripAsciiWhitespace(text).empty()) return names;
  for (absl::string_view piece : absl::StrSplit(text, ',')) {
    piece = absl::StripAsciiWhitespace(piece);
    // A leading `-` is part of a number, and `/` and `%` may occur in layout
    // dimensions; Reader and the primitives check the rest.
    absl::string_view body = piece;
    if (!body.empty() && body[0] == '-') body.remove_prefix(1);
    if (!IsName(body, "/%")) {
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

// Fills in the fields of a step from its parsed line.
class Reader {
 public:
  explicit Reader(const Line& line) : line_(line) {}

  Reader& Head(const char*, std::string& stage) {
    stage = line_.stage;
    return *this;
  }

  template <typename... Fields>
  void Args(Fields&... fields) {
    constexpr size_t kTails = (std::is_same_v<Fields, Tail> + ... + 0);
    constexpr bool kAnyNumber =
        ((std::is_same_v<Fields, std::vector<std::string>> ||
          std::is_same_v<Fields, std::vector<LayoutPart>>) ||
         ...);
    const size_t most = sizeof...(Fields), least = most - kTails;
    args_known_ = true;
    if (kAnyNumber ? line_.args.size() + 1 < most
                   : line_.args.size() < least || line_.args.size() > most) {
      return Fail("`", line_.primitive, "` takes ", least, " arguments, not ",
                  line_.args.size());
    }
    (Read(fields), ...);
  }

  template <typename... Names>
  void Results(Names&... names) {
    results_known_ = true;
    if (line_.results.empty()) return;
    if (line_.results.size() != sizeof...(Names)) {
      return Fail("`", line_.primitive, "` has ", sizeof...(Names),
                  " results, not ", line_.results.size());
    }
    size_t next = 0;
    ((names = line_.results[next++]), ...);
  }

  absl::Status Finish() {
    if (!args_known_ && !line_.args.empty()) {
      Fail("`", line_.primitive, "` takes 0 arguments, not ",
           line_.args.size());
    }
    if (!results_known_ && !line_.results.empty()) {
      Fail("`", line_.primitive, "` has no results");
    }
    return status_;
  }

 private:
  template <typename... Parts>
  void Fail(const Parts&... parts) {
    if (!status_.ok()) return;
    status_ = absl::InvalidArgumentError(absl::StrCat(parts...));
  }
  void Read(std::string& name) { name = line_.args[next_++]; }
  void Read(int64_t& value) {
    const std::string& text = line_.args[next_++];
    if (!absl::SimpleAtoi(text, &value)) {
      Fail("`", text, "` is not a whole number");
    }
  }
  void Read(Tail& tail) {
    if (next_ == line_.args.size()) return;
    const std::string& text = line_.args[next_++];
    if (text != "shift_inwards" && text != "guard_with_if") {
      Fail("`", text,
           "` is not a tail, use `guard_with_if` or `shift_inwards`");
    }
    tail = text == "shift_inwards" ? Tail::kShiftInwards : Tail::kGuardWithIf;
  }
  void Read(expr::Scope& scope) {
    const std::string& text = line_.args[next_++];
    if (text != "local" && text != "global") {
      Fail("`", text, "` is not a scope, use `local` or `global`");
    }
    scope = text == "local" ? expr::Scope::kLocal : expr::Scope::kGlobal;
  }
  void Read(std::vector<std::string>& names) {
    names.assign(line_.args.begin() + next_, line_.args.end());
    next_ = line_.args.size();
  }
  void Read(std::vector<LayoutPart>& parts) {
    for (; next_ < line_.args.size(); ++next_) {
      const std::string& text = line_.args[next_];
      const size_t sign = text.find_first_of("/%");
      LayoutPart part;
      part.axis = text.substr(0, sign);
      if (sign != std::string::npos) {
        part.remainder = text[sign] == '%';
        if (!absl::SimpleAtoi(text.substr(sign + 1), &part.factor)) {
          Fail("`", text, "` is not a dimension of a layout");
        }
      }
      parts.push_back(std::move(part));
    }
  }

  const Line& line_;
  size_t next_ = 0;
  bool args_known_ = false, results_known_ = false;
  absl::Status status_;
};

// Returns the name of the primitive of a step.
struct Namer {
  Namer& Head(const char* step, const std::string&) {
    name = step;
    return *this;
  }
  template <typename... Fields>
  void Args(const Fields&...) {}
  template <typename... Names>
  void Results(const Names&...) {}
  const char* name = "";
};

// Parses `line` as a T if it names T's primitive.
template <typename T>
bool ReadAs(const Line& line, absl::StatusOr<Step>* result) {
  T step;
  Namer namer;
  Describe(namer, step);
  if (line.primitive != namer.name) return false;
  Reader reader(line);
  Describe(reader, step);
  const absl::Status status = reader.Finish();
  if (status.ok()) {
    *result = Step(std::move(step));
  } else {
    *result = status;
  }
  return true;
}

template <typename... Ts>
absl::StatusOr<Step> ReadAny(const Line& line, const std::variant<Ts...>*) {
  absl::StatusOr<Step> result = absl::InvalidArgumentError(
      absl::StrCat("`", line.primitive, "` is not a schedule primitive"));
  (ReadAs<Ts>(line, &result) || ...);
  return result;
}

absl::StatusOr<Step> ParseLine(absl::string_view text) {
  ASSAY_ASSIGN_OR_RETURN(const Line line, TakeApart(text));
  return ReadAny(line, static_cast<const Step*>(nullptr));
}

}  // namespace

const std::string& StageOf(const Step& step) {
  return std::visit([](const auto& s) -> const std::string& { return s.stage; },
                    step);
}

std::string ToString(const Step& step) {
  Step copy = step;
  Printer printer;
  std::visit([&](auto& s) { Describe(printer, s); }, copy);
  return printer.Text();
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
