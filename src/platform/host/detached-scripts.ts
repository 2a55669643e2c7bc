import { quote } from './quote.ts'

/** Sets `pid` if the process that was started here still runs, and not another that was given its number since. */
const RUNNING = `
running() {
  local line= was= boot=
  IFS=' ' read -r pid was < process || return 1
  { IFS= read -r -d '' line < "/proc/$pid/stat"; } 2> /dev/null
  read -r boot < /proc/sys/kernel/random/boot_id
  set -- \${line##*) }
  [ -n "$1" ] && [ "$1" != Z ] && [ "\${20}.$boot" = "$was" ]
}
`

/** Tells who it is before it does anything, and releases the lock only then. */
const RUNNER = `
IFS= read -r -d '' line < /proc/$$/stat
set -- "$1" \${line##*) }
# On a full disk nothing is begun that could not be found again, and what fills the disk can still tell its exit code.
echo 000 > exit.next || exit
echo "$$ \${21}.$(cat /proc/sys/kernel/random/boot_id)" > process.next || exit
mv -f process.next process || exit
[ -e stdin ] || : > stdin
exec 8< stdin
rm -f stdin
exec 9>&-
unset FLEETPRESS_RUN
cd /
/bin/bash --noprofile --norc -c "$1" <&8 8<&- > "$0/output" 2>&1
code=$?
cd "$0"
echo "$code" 1<> exit.next
sync exit.next
mv -f exit.next exit
`

/**
 * Words: the folder of the work, the text of the command. Anyone who holds the lock decides whether it
 * was started: it is held by this script, and by what it starts until that has told who it is, so that nothing is
 * started twice and what was cut off in between is started by the next call. Where systemd runs, the work leaves the
 * unit that the panel or the login belongs to, because it would be ended with it.
 */
export const START = `
set -e
umask 077
mkdir -p -- "$0"
cd -- "$0"
exec 9>> lock
flock 9
if [ ! -e process ]; then
  : > output
  scope=()
  if [ -d /run/systemd/system ]; then scope=(systemd-run --scope --quiet --collect --); fi
  setsid "\${scope[@]}" /bin/bash --noprofile --norc -c ${quote(RUNNER)} "$0" "$1" < /dev/null > /dev/null 2>&1 &
  exec 9>&-
  exec 9>> lock
  flock 9
  [ -e process ] || { echo 'it could not be started' >&2; exit 1; }
else
  rm -f stdin
fi
`

/** Words: the folder of the work, how many bytes of its output are known. The last line of stderr tells how it ended. */
export const FOLLOW = `
${RUNNING}
if ! cd -- "$0" 2> /dev/null; then
  echo lost >&2
  exit
fi
exec 7< output
tail -c "+$(($1 + 1))" <&7
# Not tail's own way to follow: it waits for a process that is dead but has not been collected.
while running; do
  sleep 0.1
  cat <&7
done
cat <&7
if [ -e exit ]; then
  read -r code < exit
  echo "exit $code" >&2
else
  echo lost >&2
fi
`

/** Word: the folder of the work. Ends the whole group of what still runs and waits until it is gone. */
export const END = `
${RUNNING}
cd -- "$0" 2> /dev/null || exit 0
[ -e process ] || exit 0
running || exit 0
kill -TERM -- "-$pid" 2> /dev/null
for _ in {1..100}; do
  running || break
  sleep 0.02
done
kill -KILL -- "-$pid" 2> /dev/null
for _ in {1..100}; do
  running || exit 0
  sleep 0.02
done
`
