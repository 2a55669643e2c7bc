import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#platform/contract/problem.ts'

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/** Every name a request says it is for: its Host, and the one inside an address in absolute form. */
const namesIn = ({ headers, originalUrl }: FastifyRequest): string[] => {
  const absolute = originalUrl.startsWith('/') ? undefined : ABSOLUTE.exec(originalUrl)?.[1]
  return [headers.host ?? '', ...(absolute === undefined ? [] : [absolute])]
}

/** The names this panel answers to: the public one, and the machine's own loopback. */
export const hostGuard = (publicUrl: string, port: () => number) => {
  const publicHost = new URL(publicUrl).host.toLowerCase()
  const isOurs = (name: string) => {
    const host = name.toLowerCase()
    return host === publicHost || [`localhost:${port()}`, `127.0.0.1:${port()}`, `[::1]:${port()}`].includes(host)
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (namesIn(request).every(isOurs)) return
    reply.code(421)
    await reply.send(
      new Problem(
        'forbidden',
        `This panel answers at ${publicUrl} only. Set PUBLIC_URL if that is not where people reach it.`,
      ).toBody(),
    )
  }
}
