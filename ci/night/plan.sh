# Functions with which ci/nightly.sh decides what to run and when, and the files
# in which it remembers how it went. They use its variables: `work` has the table
# of steps, `state` and `night` are folders of the state, `steps` are the steps of
# this night in their order, `deadline` is when the budget ends, or empty.

tab=$(printf '\t')

# Put FILE: replaces it by stdin at once, so that a kill leaves the old one.
Put() { cat > "$1.new" && mv "$1.new" "$1"; }

# Time SECONDS: as h:mm:ss or m:ss.
Time() {
  if [ "$1" -ge 3600 ]; then
    printf '%d:%02d:%02d' $(($1 / 3600)) $(($1 / 60 % 60)) $(($1 % 60))
  else
    printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
  fi
}

# Row STEP: sets `usual` and so on to its row of the table (steps.awk); they are
# empty if there is no such step.
Row() {
  IFS="$tab" read -r name usual search limit needs passes checks run <<ROW
$(grep "^$1$tab" "$work/table")
ROW
}

# Last STEP: sets what is known of its last time; `estimate` is empty if it has
# never passed.
Last() {
  last=- last_seconds=0 last_ended=0 last_night=0 estimate=
  [ ! -s "$state/steps/$1" ] || IFS="$tab" \
    read -r last last_seconds last_ended last_night estimate < "$state/steps/$1"
}

# Result STEP: sets `result`, `seconds` and `note` to what is known of it in this
# night.
Result() {
  result="not run" seconds=0 note=
  [ ! -s "$night/$1.result" ] ||
    IFS="$tab" read -r result seconds note < "$night/$1.result"
}

# SetResult STEP RESULT SECONDS [NOTE]
SetResult() { printf '%s\t%s\t%s\n' "$2" "$3" "${4:-}" | Put "$night/$1.result"; }

# Done STEP: it has passed in this night, and is not to be repeated.
Done() {
  [ -z "$again" ] || return 1
  Result "$1"
  [ "$result" = passed ]
}

# Remember STEP SEARCHED: what its result says for the next time. The expected
# time, for a fuzzer the time beside its search, rises at once and falls by
# halves, because a night without changes takes less.
Remember() {
  Last "$1"
  Result "$1"
  old=${estimate:-0}
  took=$((seconds - $2))
  [ "$took" -ge 0 ] || took=0
  case $result in
    passed)
      estimate=$took
      [ "$took" -ge "$old" ] || estimate=$(((took + old) / 2)) ;;
    "not run")
      # The end of the budget stopped it.
      took=$((took + took / 4))
      [ "$took" -lt "$old" ] || estimate=$took ;;
  esac
  case $result in
    passed | failed) last_night=$number ;;
  esac
  printf '%s\t%s\t%s\t%s\t%s\n' "$result" "$seconds" "$(date +%s)" \
    "$last_night" "$estimate" | Put "$state/steps/$1"
}

# Order: prints the steps of this night: measuring, then what was cut off, then
# what has waited for the most nights, in the order of the table.
Order() {
  line=0
  while IFS="$tab" read -r name usual search limit needs rest; do
    line=$((line + 1))
    case ,$only, in
      ,, | *",$name,"*) ;;
      *) continue ;;
    esac
    class=2
    Result "$name"
    if [ "$needs" = store ]; then
      [ -n "$store" ] || continue
      class=0
    elif [ "$name" = "$cut_off" ] || [ "$result" = interrupted ]; then
      class=1
    fi
    Last "$name"
    echo "$class $((number - last_night)) $line $name"
  done < "$work/table" | sort -k 1,1n -k 2,2nr -k 3,3n | cut -d ' ' -f 4
}

# Left: prints the seconds of the budget that are left, or nothing without one.
Left() { [ -z "$deadline" ] || echo $((deadline - $(Now))); }

# Beside: sets `beside` to the seconds that a fuzzer needs beside its search, with
# some to spare, because its search ends with the budget.
Beside() { beside=$((${estimate:-180} * 5 / 4 + 30)); }

# Expect STEP: sets `expected` to its seconds, and `searching` to how long a
# fuzzer searches, if `left` seconds of the budget are left. A fuzzer gets what is left when all that comes later has had its
# time, in proportion to its usual time, but not less than five minutes, so that
# fuzzers have their turn, too.
Expect() {
  Row "$1"
  Last "$1"
  expected=${estimate:-$usual}
  searching=0
  [ "$search" = search ] || return 0
  Beside
  searching=$usual
  if [ -n "$left" ]; then
    searching=$(Sharers "$1" | awk -v left="$left" -v usual="$searching" '
      $1 == "search" { searches += $2; left -= $3 }
      $1 == "other" && $2 <= left { left -= $2 }
      END {
        share = int(left * usual / searches)
        if (share < 300) share = 300
        print share < usual ? share : usual
      }')
  fi
  expected=$((searching + beside))
}

# Sharers STEP: prints what shares the rest of the budget: STEP, and what comes
# later.
Sharers() {
  later=
  for other in $steps; do
    [ "$other" != "$1" ] || later=yes
    [ -n "$later" ] || continue
    ! Done "$other" || continue
    Row "$other"
    Last "$other"
    if [ "$search" = search ]; then
      Beside
      echo "search $usual $beside"
    else
      echo "other ${estimate:-$usual}"
    fi
  done
}
