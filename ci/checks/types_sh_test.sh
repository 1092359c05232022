#!/bin/sh
# Tests types.sh on a small tree: what it must find, and what it must not.
set -eu

script=$PWD/ci/checks/types.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

mkdir -p "$tree/suites/a" "$tree/suites/b"
cat > "$tree/suites/a/a.h" <<'EOF'
namespace assay::suites {
class Forward;
struct Row {
  struct Nested {};
};
enum class Kind : int {
  kOne,
};
enum class OneLine { kA };
namespace {
struct Private {};
}  // namespace
}  // namespace assay::suites
EOF
cat > "$tree/suites/b/b.h" <<'EOF'
namespace assay::suites {
class Forward : public Base {
  struct Nested {};
};
struct Row::Detail {
};
namespace {
struct Private {};
struct Row {};
}  // namespace
}  // namespace assay::suites
namespace assay::tune {
struct Row {
};
}  // namespace assay::tune
EOF
"$script" "$tree" > "$tree/out" || fail "nothing is defined twice: $(cat "$tree/out")"

cat > "$tree/suites/b/c.cc" <<'EOF'
namespace assay::suites {
struct Row final {
};
enum class Kind {
};
enum class OneLine { kA };
}  // namespace assay::suites
EOF
! "$script" "$tree" > "$tree/out" || fail "Row, Kind and OneLine are defined twice"
grep -q '^suites/b/c.cc: `assay::suites::Row` is also defined in suites/a/a.h$' \
  "$tree/out" || fail "the message is: $(cat "$tree/out")"
[ "$(wc -l < "$tree/out")" = 3 ] || fail "not three messages"

mkdir "$tree/empty"
! "$script" "$tree/empty" > "$tree/out" || fail "an empty tree passes"
