import pino, { type Logger } from 'pino'

/** Structured log lines: an object with facts, then a plain sentence. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Whatever is logged by mistake, these never come out. */
const SECRET_FIELDS = ['password', 'newPassword', 'token', 'secret', 'authorization', 'cookie', 'code', 'challenge']

export const createLog = (level: string): Logger =>
  pino({
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_FIELDS.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
  })
