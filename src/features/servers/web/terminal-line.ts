import { servers, TerminalExit, type TerminalResize } from '#features/servers/contract.ts'

/** The panel takes no larger frame. */
const FRAME_BYTES = 65_536

export interface Size {
  cols: number
  rows: number
}

/** How a line to a shell ended. */
export interface LineEnd {
  /** False when it never began. */
  wasOpen: boolean
  /** Of the WebSocket. */
  code: number
  reason: string
  /** Of the shell, when that ended by itself. */
  exitCode: number | null
}

interface LineEvents {
  onOpen: () => void
  onBytes: (bytes: Uint8Array) => void
  onEnd: (end: LineEnd) => Promise<void>
}

export interface Line {
  type: (bytes: Uint8Array<ArrayBuffer>) => void
  resize: (size: Size) => void
  close: () => void
}

const addressOf = (serverId: number, { cols, rows }: Size): string => {
  const path = servers.serverTerminal.path.replace(':id', String(serverId))
  const address = new URL(`${path}?cols=${cols}&rows=${rows}`, window.location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  return address.href
}

const exitCodeOf = (text: string): number | null => {
  const exit = TerminalExit.safeParse(JSON.parse(text))
  return exit.success ? exit.data.exitCode : null
}

/** A line to a new shell on a server. */
export const openLine = (serverId: number, size: Size, { onOpen, onBytes, onEnd }: LineEvents): Line => {
  const socket = new WebSocket(addressOf(serverId, size))
  socket.binaryType = 'arraybuffer'
  let wasOpen = false
  let exitCode: number | null = null
  const listening = new AbortController()
  const { signal } = listening
  const onMessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === 'string') exitCode = exitCodeOf(data)
    else onBytes(new Uint8Array(data))
  }
  const onClose = ({ code, reason }: CloseEvent) => void onEnd({ wasOpen, code, reason, exitCode })
  const onOpened = () => {
    wasOpen = true
    onOpen()
  }
  socket.addEventListener('open', onOpened, { signal })
  socket.addEventListener('message', onMessage, { signal })
  socket.addEventListener('close', onClose, { signal })
  const send = (message: string | Uint8Array<ArrayBuffer>) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(message)
  }
  return {
    type: bytes => {
      for (let at = 0; at < bytes.length; at += FRAME_BYTES) send(bytes.subarray(at, at + FRAME_BYTES))
    },
    resize: ({ cols, rows }) => send(JSON.stringify({ type: 'resize', cols, rows } satisfies TerminalResize)),
    close: () => {
      listening.abort()
      socket.close()
    },
  }
}
