import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { errnoOf, Failure } from '../failure.ts'
import type { Place } from '../panel/health.ts'
import { nameOf } from '../panel/process.ts'

const LISTENING = '0A'

const listeningInodes = (port: number): Set<string> => {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = ['tcp', 'tcp6'].flatMap(table => {
    try {
      return readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1)
    } catch {
      return []
    }
  })
  const fields = lines.map(line => line.trim().split(/\s+/))
  return new Set(
    fields
      .filter(([, local, , state]) => local?.endsWith(wanted) && state === LISTENING)
      .map(([, , , , , , , , , inode]) => `socket:[${inode}]`),
  )
}

const holds = (pid: string, sockets: Set<string>): boolean => {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(fd => sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`)))
  } catch {
    return false
  }
}

/** Which program listens there, as far as this user may see. */
export const whoListens = (port: number): string => {
  const sockets = listeningInodes(port)
  const pid = readdirSync('/proc').find(name => /^\d+$/.test(name) && holds(name, sockets))
  return pid === undefined ? 'another program' : `${nameOf(Number(pid))} (pid ${pid})`
}

const ADVICE: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use by ${whoListens(port)}: stop it, or choose another port with FLEETPRESS_PORT.`,
  EACCES: ({ port }) => `Only root can listen on port ${port}: run it as root, or set FLEETPRESS_PORT above 1023.`,
  EADDRNOTAVAIL: ({ listen }) =>
    `This machine does not have the address ${listen}: set FLEETPRESS_LISTEN to one it has, such as 127.0.0.1.`,
}

/** Listens for a moment, which is the only sure way to know. */
export const checkPortFree = (place: Place): Promise<string> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', error => {
      const advice = ADVICE[errnoOf(error) ?? '']
      reject(new Failure(advice?.(place) ?? `Can't listen on ${place.listen} port ${place.port}: ${error.message}.`))
    })
    server.listen({ host: place.listen, port: place.port, exclusive: true }, () =>
      server.close(() => resolve(`${place.port} is free`)),
    )
  })
