import { type IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { Problem } from '#platform/contract/problem.ts'

const KEY = /^[+/0-9A-Za-z]{22}==$/
/** In its own variable because the types of `ws` do not know `closeTimeout` yet. */
const OPTIONS = { noServer: true, maxPayload: 65_536, perMessageDeflate: false, closeTimeout: 5_000 }

export interface Upgrades {
  /** Answers 101; undefined when the caller has left in the meantime. */
  accept(request: FastifyRequest, reply: FastifyReply): WebSocket | undefined
  terminateAll(): void
}

/** Every other Upgrade is ignored, as HTTP allows, and answered like any request. */
export const wantsSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

export const requireHandshake = ({ raw }: FastifyRequest): void => {
  const { headers } = raw
  const isHandshake =
    wantsSocket(raw) &&
    /\bupgrade\b/i.test(headers.connection ?? '') &&
    KEY.test(headers['sec-websocket-key'] ?? '') &&
    headers['sec-websocket-version'] === '13' &&
    headers['sec-websocket-protocol'] === undefined
  if (!isHandshake) throw notHandshake()
}

const notHandshake = () =>
  new Problem('validation_error', 'This is a WebSocket. Connect with a WebSocket client and without a subprotocol.', [
    { in: 'request', path: '', message: 'is not a WebSocket handshake, version 13' },
  ])

/** Handshakes go through the hooks and routes of the server like every request, and are answered there if refused. */
export const takeUpgrades = (server: FastifyInstance): Upgrades => {
  const webSockets = new WebSocketServer(OPTIONS)
  const waiting = new WeakMap<IncomingMessage, { response: ServerResponse; head: Buffer }>()
  server.server.on('upgrade', (request, _, head) => {
    const { socket } = request
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.destroySoon())
    waiting.set(request, { response, head })
    server.routing(request, response)
  })
  const accept: Upgrades['accept'] = ({ raw }, reply) => {
    const handshake = waiting.get(raw)
    if (!handshake) throw notHandshake()
    reply.hijack()
    handshake.response.detachSocket(raw.socket)
    let accepted: WebSocket | undefined
    webSockets.handleUpgrade(raw, raw.socket, handshake.head, ws => {
      accepted = ws
    })
    return accepted
  }
  const terminateAll = () => {
    for (const ws of webSockets.clients) ws.terminate()
  }
  return { accept, terminateAll }
}
