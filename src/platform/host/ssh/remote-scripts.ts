/**
 * Waits for its command on stdin, up to a NUL, so that a shell is ready before there is anything to do and no text of a
 * command is ever quoted a second time. The line it says first tells its process group, and where the output of the
 * login's startup files ends. A single program takes the place of the shell, so its signals are told as they are. What is
 * exported is how the guard finds a group that no one else knows any more.
 */
export const WORKER = `
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 FLEETPRESS_RUN=$0.$$
unset LC_ALL LC_MESSAGES LANGUAGE
cd /
echo "$0 $$"
echo "$0 $$" >&2
IFS= read -r -d '' text || exit
case $text in
  [\\(\\{]*) eval "$text" ;;
  *) eval "exec $text" ;;
esac
`

/**
 * Ends process groups when the panel asks for it, and all that the connection started once the panel is silent for too
 * long or gone. A group is taken for the connection's own only if a living member of it carries its mark and number,
 * so no one can have another group ended by carrying a mark.
 */
export const GUARD = `
exec 2> /dev/null
token=$0 silence=$1 previous=$2

group_of() {
  local line=
  IFS= read -r -d '' line < "/proc/$1/stat"
  local fields=(\${line##*) })
  [[ \${fields[0]} != [ZX] ]] && group=\${fields[2]}
}

lives() {
  local folder group=
  kill -0 -- "-$1" || return 1
  for folder in /proc/[0-9]*; do
    group_of "\${folder#/proc/}" && [[ $group == "$1" ]] && return 0
  done
  return 1
}

ends_within() {
  local limit=$((\${EPOCHREALTIME/./} + $2))
  while lives "$1"; do
    ((\${EPOCHREALTIME/./} > limit)) && return 1
    sleep 0.02
  done
}

end_group() {
  kill -TERM -- "-$1"
  ends_within "$1" 2000000 && return
  kill -KILL -- "-$1"
  ends_within "$1" 500000
}

groups_of() {
  local file pid group
  grep -lzs "^FLEETPRESS_RUN=$1[.]" /proc/[0-9]*/environ | while read -r file; do
    pid=\${file//[!0-9]/}
    group_of "$pid" && grep -qzsx "FLEETPRESS_RUN=$1[.]$group" "$file" && echo "$group"
  done | sort -u
}

sweep() {
  local group
  for group in $(groups_of "$1"); do end_group "$group" & done
  wait
}

[[ -z $previous ]] || sweep "$previous" &
echo "$token guards"
while read -r -t "$silence" act group leader; do
  [[ $act == end ]] || continue
  {
    # The number of a leader that is gone is given away again only after its whole group is gone too.
    [[ $leader == gone && -e /proc/$group ]] || end_group "$group"
    echo "$token ended $group"
  } &
done
sweep "$token"
sweep "$token"
`
