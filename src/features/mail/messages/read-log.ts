import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { SHELL } from '#platform/host/shell-text.ts'
import { LOG_FOLDER } from '../relay/names.ts'

/** How many bytes of each file have been read. A file is known by its first line. */
export type Positions = Readonly<Record<string, number>>

export interface LogReading {
  readonly lines: readonly string[]
  readonly positions: Positions
  /** More is waiting than was read. */
  readonly isPart: boolean
}

/**
 * Words: the folder, how many bytes are wanted at most, then each known file and its position. Files only ever move from
 * the first name to the last: opened in this order one may be met twice, but none is missed. The oldest is read first.
 */
const SCRIPT = `
export LC_ALL=C
cd -- "$0" 2> /dev/null || exit 0
left=$1
shift
declare -A known met
while (($#)); do
  known[$1]=$2
  shift 2
done
files=()
for name in mail.log{,.1,.2,.3}; do
  { exec {file}< "$name"; } 2> /dev/null && files=("$file" "\${files[@]}")
done
for file in "\${files[@]}"; do
  IFS= read -r -u "$file" start || continue
  sum=$(cksum <<< "$start") && id=\${sum// /-}
  [[ -v met[$id] ]] && continue
  met[$id]=yes
  size=$(stat -L -c %s "/dev/fd/$file") || exit
  from=\${known[$id]:-0}
  length=$((size > from ? size - from : 0))
  ((length <= left)) || length=$left
  left=$((left - length))
  echo "$id $from $length $size"
  ((length == 0)) || tail -c "+$((from + 1))" "/dev/fd/$file" | head -c "$length"
done
`
const HEADER = /^(\d{1,12}-\d{1,12}) (\d{1,15}) (\d{1,15}) (\d{1,15})$/
const MOST_FILES = 4
const LONGEST_HEADER = 100
const TIMEOUT_MS = 60_000
const NEWLINE = 10

interface ReadOptions {
  readonly mostBytes: number
  readonly folder?: string
  readonly signal?: AbortSignal | undefined
}

/** Nothing of it is kept anywhere: who has kept the lines keeps the positions, or gets the same lines again. */
export const readLog = async (host: Host, before: Positions, options: ReadOptions): Promise<LogReading> => {
  const { mostBytes, folder = LOG_FOLDER, signal } = options
  const words = Object.entries(before).flatMap(([file, position]) => [file, String(position)])
  const chunks: Buffer[] = []
  let leftBytes = mostBytes + MOST_FILES * LONGEST_HEADER
  await host.stream(exec(...SHELL, SCRIPT, folder, String(mostBytes), ...words), {
    signal,
    timeoutMs: TIMEOUT_MS,
    onStdout: chunk => {
      leftBytes -= chunk.length
      if (leftBytes < 0) throw new Error('the log of the relay answered with more than was asked for')
      chunks.push(chunk)
    },
  })
  return toReading(Buffer.concat(chunks), mostBytes)
}

const toReading = (output: Buffer, mostBytes: number): LogReading => {
  const lines: string[] = []
  const positions: Record<string, number> = {}
  let isPart = false
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(NEWLINE, at)
    const [, file, from, length, size] = HEADER.exec(output.toString('latin1', at, end)) ?? []
    const next = end + 1 + Number(length)
    if (file === undefined || next > output.length) throw new Error('the log of the relay changed while it was read')
    const bytes = output.subarray(end + 1, next)
    // Up to the end of the last line; a line that never ends is passed over.
    const used = bytes.lastIndexOf(NEWLINE) + 1 || (bytes.length === mostBytes ? bytes.length : 0)
    if (used > 0) lines.push(...bytes.toString('utf8', 0, used).trimEnd().split('\n'))
    positions[file] = Number(from) + used
    isPart ||= Number(from) + bytes.length < Number(size)
    at = next
  }
  return { lines, positions, isPart: isPart && lines.length > 0 }
}
