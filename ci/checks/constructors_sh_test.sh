#!/bin/sh
# Tests constructors.sh on small files.
set -eu

script=$PWD/ci/checks/constructors.sh
tree=$TEST_TMPDIR/tree
mkdir -p "$tree/runtime"
fails=0
# Expect STATUS PATTERN NAME: the exit status and a line of the output for the
# file that standard input holds.
Expect() {
  cat > "$tree/runtime/a.h"
  status=0
  sh "$script" "$tree" > "$TEST_TMPDIR/out" 2>&1 || status=$?
  [ "$status" = 0 ] && status=pass || status=fail
  if [ "$status" != "$1" ] || ! grep -q -e "$2" "$TEST_TMPDIR/out"; then
    echo "$3: expected to $1 with a line like \`$2\`, got $status and:"
    cat "$TEST_TMPDIR/out"
    fails=$((fails + 1))
  fi
}

Expect pass '0 constructors' 'six parameters, some of templates' <<'CC'
class Six {
 public:
  Six(int a, std::map<int, std::pair<int, int>> b, std::function<int(int, int)>
      c = nullptr, const char* d = "a, b, c", int e = Max(1, 2), int f = ',');
  // Six(int, int, int, int, int, int, int, int);
};
Six Make() { return Six(1, 2, 3, 4, 5, 6, 7); }
CC
Expect fail 'a.h: the constructor of `Seven` takes 7 parameters' 'seven' <<'CC'
class Seven {
 public:
  explicit Seven(int a, int b, int c,
                 int d, int e, int f, int g)
      : a_(a) {}
};
CC
Expect fail 'of `Seven` takes 7' 'a definition outside of the class' <<'CC'
Seven::Seven(int a, int b, int c, int d, int e, int f, int g) : a_(a) {}
CC
Expect fail 'of `Seven` takes 7' 'a structure with a template' <<'CC'
template <typename T>
struct Seven {
  Seven(T a, T b, T c, T d, T e, T f, std::vector<T> g);
};
CC
Expect pass '0 constructors' 'a function of many parameters' <<'CC'
struct Two {
  Two(int a, int b);
  int Call(int a, int b, int c, int d, int e, int f, int g);
};
CC
rm "$tree/runtime/a.h"
if sh "$script" "$tree" > /dev/null; then
  echo "a tree without files: expected to fail"
  fails=$((fails + 1))
fi

exit "$fails"
