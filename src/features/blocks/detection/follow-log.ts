import { EDGE_FOLDER, EDGE_LOG } from '#features/edge/index.ts'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'

/** What the edge wrote while no one read; older lines are passed over by their time. */
const CATCH_UP_LINES = 2000
const LONGEST_LINE_BYTES = 256 * 1024
const NEWLINE = 10

export interface FollowOptions {
  readonly signal: AbortSignal
  readonly onLine: (line: string) => void | Promise<void>
  /** Where tests keep their logs. */
  readonly folder?: string
}

/** Hands on every line of the edge's log as it is written, also after it was rotated, until the signal or a failure. */
export const followLog = async (host: Host, { signal, onLine, folder }: FollowOptions): Promise<void> => {
  const file = `${folder ?? `${EDGE_FOLDER}/logs`}/${EDGE_LOG}`
  let rest: Buffer = Buffer.alloc(0)
  await host.stream(exec('tail', '-n', String(CATCH_UP_LINES), '-F', '--', file), {
    signal,
    onStdout: async chunk => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const end = bytes.lastIndexOf(NEWLINE) + 1
      // A line that never ends is dropped, so that it can't fill the memory.
      rest = bytes.length - end > LONGEST_LINE_BYTES ? Buffer.alloc(0) : Buffer.from(bytes.subarray(end))
      for (const line of bytes.toString('utf8', 0, end).split('\n')) if (line !== '') await onLine(line)
    },
  })
}
