import { type Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#platform/contract/problem.ts'
import { type Pace, watchPace } from './pace.ts'

/** At least 8 KiB a second, looked at every 30 s. */
export const BODY_PACE: Pace = { windowMs: 30_000, minBytes: 245_760 }
/** How long a caller may continue sending a body after it was refused, to get around to reading the answer. */
const LINGER_MS = 5_000

const refusedBody = (message: string) => new Problem('validation_error', message, [{ in: 'body', path: '', message }])

/** What an endpoint without a body takes anyway: nothing, or `{}` from programs that always send something. */
export const NO_BODY_BYTES = 16

export const tooLarge = (maxBytes: number): Problem =>
  refusedBody(
    maxBytes > NO_BODY_BYTES
      ? `The body is larger than the limit of ${maxBytes} bytes.`
      : 'This endpoint takes no body. Send the request without one.',
  )

const tooSlow = () => refusedBody('The body took too long to arrive. Send it again over a faster connection.')

/** The caller went away in the middle of a body: no one is there to be answered, and nothing is wrong with the panel. */
class CallerLeft extends Problem {
  constructor() {
    super('validation_error', 'The body is incomplete. Send all of it.', [
      { in: 'body', path: '', message: 'is incomplete' },
    ])
  }
}

interface Bounds {
  maxBytes: number
  pace: Pace
}

/** The same bytes, read no faster than they are taken; the stream fails when there are too many, too late or not all. */
const boundedBody = (raw: Readable, { maxBytes, pace }: Bounds): Readable => {
  let received = 0
  let isWhole = false
  const body = new Transform({
    transform(chunk: Buffer, _, done) {
      received += chunk.length
      if (received > maxBytes) done(tooLarge(maxBytes))
      else done(null, chunk)
    },
  })
  // Anyone who reads it hears of the error; a handler that has not begun to read must not end the process.
  body.on('error', () => {})
  const flow = { moved: () => received, waitsForCaller: () => !isWhole && !body.writableNeedDrain }
  const stopWatching = watchPace(flow, pace, () => body.destroy(tooSlow()))
  body.once('close', stopWatching)
  raw.once('end', () => {
    isWhole = true
    stopWatching()
  })
  raw.on('error', () => body.destroy(new CallerLeft()))
  raw.once('close', () => {
    stopWatching()
    if (!isWhole) body.destroy(new CallerLeft())
  })
  return raw.pipe(body)
}

const BODYLESS_METHODS = new Set(['GET', 'HEAD', 'TRACE', 'OPTIONS'])

const bringsBody = ({ method, headers }: FastifyRequest): boolean =>
  !BODYLESS_METHODS.has(method) &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/**
 * Every body of every request: as long as its route takes, at a pace, and asked for only when the caller was let in.
 * What is not read after the answer is released.
 */
export const boundBodies = (server: FastifyInstance, pace: Pace): void => {
  // Node itself would tell strangers to continue with their body before anyone looked who they are.
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response))
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (!bringsBody(request)) return done(null, payload)
    const maxBytes = request.routeOptions.bodyLimit ?? 0
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return done(tooLarge(maxBytes))
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
    done(null, boundedBody(payload, { maxBytes, pace }))
  })
  server.addHook('onResponse', ({ raw }, _, done) => {
    if (!raw.readableEnded && !raw.destroyed) letGo(raw)
    done()
  })
}

const letGo = (raw: FastifyRequest['raw']) => {
  raw.unpipe()
  raw.resume()
  const giveUp = setTimeout(() => raw.destroy(), LINGER_MS)
  giveUp.unref()
  raw.once('close', () => clearTimeout(giveUp))
  raw.once('end', () => clearTimeout(giveUp))
}
