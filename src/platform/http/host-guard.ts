import type { FastifyRequest } from 'fastify'
import { HttpProblem } from './http-problem.ts'

const MISDIRECTED = 421

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/** Every name a request says it is for: its Host, and the one inside an address in absolute form. */
const namesIn = ({ headers, originalUrl }: FastifyRequest): string[] => {
  const absolute = originalUrl.startsWith('/') ? undefined : ABSOLUTE.exec(originalUrl)?.[1]
  return [headers.host ?? '', ...(absolute === undefined ? [] : [absolute])]
}

/** The names this panel answers to: the public one, and the machine's own loopback. */
export const hostGuard = (publicUrl: string, port: number) => {
  const ours = new Set([
    new URL(publicUrl).host.toLowerCase(),
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
  ])
  const isOurs = (name: string) => ours.has(name.toLowerCase())
  return (request: FastifyRequest): void => {
    if (namesIn(request).every(isOurs)) return
    throw new HttpProblem(
      MISDIRECTED,
      'forbidden',
      `This panel is only available at ${publicUrl}. Set PUBLIC_URL if people use another address.`,
    )
  }
}
