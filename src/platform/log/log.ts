import pino, { type Logger } from 'pino'
import { cleanJson } from './clean-line.ts'

/** Structured log lines: an object with facts, then a plain sentence. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Whatever is logged by mistake, these never come out. */
const SECRET_FIELDS = ['password', 'newPassword', 'token', 'secret', 'authorization', 'cookie', 'code', 'challenge']

const STDOUT = 1
/** Lines that cannot be written are kept up to this size; those after them are counted and dropped. */
const KEPT_BYTES = 1024 * 1024

/** A full disk must not stop the panel: what the log cannot take waits, and what does not fit is counted. */
const openDestination = (fd: number, onWritableAgain: (droppedLines: number) => void) => {
  const destination = pino.destination({ fd, sync: true, maxLength: KEPT_BYTES })
  let dropped = 0
  destination.on('error', () => {})
  destination.on('write', () => {
    if (dropped === 0) return
    setImmediate(onWritableAgain, dropped)
    dropped = 0
  })
  destination.on('drop', () => {
    dropped += 1
    // A line that does not fit is not tried, so what is kept gets its try here; flushing would wait for room for ever.
    destination.write('')
  })
  return destination
}

export const createLog = (level: string, fd: number = STDOUT): Logger => {
  const log = pino(
    {
      level,
      // A terminal that shows the log acts on nothing that a server said.
      hooks: { streamWrite: cleanJson },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    },
    openDestination(fd, droppedLines => log.warn({ droppedLines }, 'log lines were lost: could not write the log')),
  )
  return log
}
