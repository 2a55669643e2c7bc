import { exec } from './command.ts'
import type { Host } from './host.ts'
import { SHELL } from './shell-text.ts'

/** How many bytes of each file have been read. A file is known by how it begins: with a time. */
export type Positions = Readonly<Record<string, number>>

/** What is new in the log since `before`. */
export interface LogReading {
  /** Whole lines, without their ends. */
  readonly lines: readonly string[]
  /** Where they end, for every file that is there now. */
  readonly positions: Positions
  /** More is waiting than was read. */
  readonly isPart: boolean
}

/**
 * Words: the folder, the first name of the log, how many bytes are wanted at most, then each known file and its position.
 * For every file, a line says what it is known by, its position and how many bytes follow. Files only ever move from the first name to the last, so opening
 * them in this order may meet one twice but never misses one, whatever is put aside in the meantime; the oldest is read first.
 */
const SCRIPT = `
export LC_ALL=C
cd -- "$0" 2> /dev/null || exit 0
log=$1
left=$2
shift 2
declare -A known
while (($#)); do
  known[$1]=$2
  shift 2
done
files=()
for name in "$log"{,.1,.2,.3}; do
  { exec {file}< "$name"; } 2> /dev/null && files=("$file" "\${files[@]}")
done
declare -A met
for file in "\${files[@]}"; do
  IFS= read -r -N 48 -u "$file" start || continue
  id=t\${start//[!0-9A-Za-z.]/}
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

const HEADER = /^(t[0-9A-Za-z.]{0,48}) (\d{1,15}) (\d{1,15}) (\d{1,15})$/
const LONGEST_HEADER = 100
const MOST_FILES = 4
const TIMEOUT_MS = 60_000
const NEWLINE = 10

export interface ReadLogOptions {
  readonly folder: string
  /** The name of the file that is written now; those put aside have a number behind it. */
  readonly name: string
  readonly mostBytes: number
  readonly signal?: AbortSignal | undefined
}

/** Nothing of it is kept anywhere: who has kept the lines keeps the positions, or gets the same lines again. */
export const readLog = async (host: Host, before: Positions, options: ReadLogOptions): Promise<LogReading> => {
  const { folder, name, mostBytes, signal } = options
  const words = Object.entries(before).flatMap(([file, position]) => [file, String(position)])
  const chunks: Buffer[] = []
  let leftBytes = mostBytes + MOST_FILES * LONGEST_HEADER
  await host.stream(exec(...SHELL, SCRIPT, folder, name, String(mostBytes), ...words), {
    signal,
    timeoutMs: TIMEOUT_MS,
    onStdout: chunk => {
      leftBytes -= chunk.length
      if (leftBytes < 0) throw new Error('the log answered with more than was asked for')
      chunks.push(chunk)
    },
  })
  return toReading(Buffer.concat(chunks), mostBytes)
}

interface Piece {
  readonly file: string
  readonly from: number
  readonly size: number
  readonly bytes: Buffer
}

const toReading = (output: Buffer, mostBytes: number): LogReading => {
  const pieces = splitPieces(output)
  const read = pieces.map(piece => ({ ...piece, used: usedOf(piece.bytes, mostBytes) }))
  return {
    lines: read.flatMap(({ bytes, used }) => linesOf(bytes.subarray(0, used))),
    positions: Object.fromEntries(read.map(({ file, from, used }) => [file, from + used])),
    isPart: read.some(({ used }) => used > 0) && read.some(({ from, size, bytes }) => from + bytes.length < size),
  }
}

/** A file that was cut short while it was read has fewer bytes than its line said, and the next reading tells. */
const splitPieces = (output: Buffer): Piece[] => {
  const pieces: Piece[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(NEWLINE, at)
    const [, file, from, length, size] = HEADER.exec(output.toString('latin1', at, end)) ?? []
    const start = end + 1
    const next = start + Number(length)
    if (file === undefined || end < 0 || next > output.length) throw new Error('the log changed while it was read')
    pieces.push({ file, from: Number(from), size: Number(size), bytes: output.subarray(start, next) })
    at = next
  }
  return pieces
}

/** Up to the end of the last line; a line that never ends is passed over. */
const usedOf = (bytes: Buffer, mostBytes: number): number =>
  bytes.lastIndexOf(NEWLINE) + 1 || (bytes.length === mostBytes ? bytes.length : 0)

const linesOf = (bytes: Buffer): string[] => {
  const text = bytes.toString()
  return text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
