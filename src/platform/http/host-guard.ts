import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#platform/contract/problem.ts'

/** The names this panel answers to: the public one, and the machine's own loopback. */
export const hostGuard = (publicUrl: string, port: () => number) => {
  const publicHost = new URL(publicUrl).host.toLowerCase()
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const host = (request.headers.host ?? '').toLowerCase()
    if (host === publicHost || [`localhost:${port()}`, `127.0.0.1:${port()}`, `[::1]:${port()}`].includes(host)) return
    reply.code(421)
    await reply.send(
      new Problem(
        'forbidden',
        `This panel answers at ${publicUrl} only. Set PUBLIC_URL if that is not where people reach it.`,
      ).toBody(),
    )
  }
}
