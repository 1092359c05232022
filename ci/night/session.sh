# Functions with which ci/nightly.sh watches and ends a step. A step has a
# session of its own (setsid), so that all its processes are found, also those
# in process groups of their own. The server of Bazel has another one and
# stays; it ends what its client has asked for when the client ends.

# Prints the seconds since the machine was started: no clock that is set.
Now() { read -r up _ < /proc/uptime && echo "${up%.*}"; }

# SessionProcesses SESSION: prints its processes, without those that have ended.
SessionProcesses() {
  cat /proc/[0-9]*/stat 2> /dev/null | awk -v session="$1" '
    {
      pid = $1
      sub(/^.*\) /, "")  # the name, which can have blanks
      if ($4 == session && $1 != "Z") print pid
    }'
}

# BornAt PID: prints when a process was started, which tells it from a later one
# with the same number.
BornAt() {
  sed 's/^.*) //' "/proc/$1/stat" 2> /dev/null | cut -d ' ' -f 20
}

# EndSession SESSION: asks its processes to end, and kills them after
# ASSAY_NIGHTLY_GRACE seconds; Bazel needs some to stop its actions.
EndSession() {
  processes=$(SessionProcesses "$1")
  [ -n "$processes" ] || return 0
  kill -TERM $processes 2> /dev/null
  patience=$(($(Now) + ${ASSAY_NIGHTLY_GRACE:-20}))
  while sleep 0.2; processes=$(SessionProcesses "$1"); [ -n "$processes" ]; do
    [ "$(Now)" -lt "$patience" ] || kill -KILL $processes 2> /dev/null
  done
}

# Watch SESSION LIMIT FILE TITLE EXPECTED: ends the session after LIMIT seconds,
# and makes FILE to say so, or if the script that started it is no more. Shows
# the time on a terminal.
Watch() {
  from=$(Now)
  until [ $(($(Now) - from)) -ge "$2" ]; do
    sleep 1 > /dev/null 2>&1
    if ! kill -0 $$ 2> /dev/null; then
      EndSession "$1"
      exit
    fi
    [ ! -t 2 ] || printf '\r\033[K%s: %s of about %s%s' "$4" \
      "$(Time $(($(Now) - from)))" "$(Time "$5")" "$(ShowLeft)" >&2
  done
  : > "$3"
  EndSession "$1"
}
