import { FitAddon } from '@xterm/addon-fit'
import type { Terminal } from '@xterm/xterm'
import { useEffect, useRef, useState } from 'react'
import { openTerminal } from '#web/kit/xterm.ts'
import { CONNECTING, type Session, startSession } from './terminal-session.ts'

const COLORS = {
  background: '#14171c',
  foreground: '#d5dae2',
  cursor: '#d5dae2',
  selectionBackground: '#3b4a6b',
  brightBlack: '#7d8696',
}
const FONT = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'

const encoder = new TextEncoder()
const bytesOf = (binary: string) => Uint8Array.from(binary, character => character.charCodeAt(0))

/** Ctrl-Shift-C copies as in other terminals, and F6 is left to the browser, so that the keyboard finds a way out. */
const keepKey = (terminal: Terminal) => (event: KeyboardEvent) => {
  if (event.key === 'F6') return false
  if (!(event.ctrlKey && event.shiftKey && event.code === 'KeyC')) return true
  event.preventDefault()
  if (event.type === 'keydown') void navigator.clipboard.writeText(terminal.getSelection())
  return false
}

/** A terminal as large as its box, now and later. */
const buildTerminal = (box: HTMLElement) => {
  const { terminal, close } = openTerminal(box, {
    theme: COLORS,
    fontFamily: FONT,
    fontSize: 13,
    cursorBlink: true,
    scrollback: 5_000,
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.attachCustomKeyEventHandler(keepKey(terminal))
  fit.fit()
  const observer = new ResizeObserver(() => fit.fit())
  observer.observe(box)
  const dispose = () => {
    observer.disconnect()
    close()
  }
  return { terminal, dispose }
}

/** A terminal in `box` with a shell of a server, and how the line between them stands. */
export const useTerminal = (serverId: number) => {
  const box = useRef<HTMLDivElement>(null)
  const held = useRef<{ session: Session; terminal: Terminal }>(undefined)
  const [state, setState] = useState(CONNECTING)
  useEffect(() => {
    if (!box.current) return undefined
    const { terminal, dispose } = buildTerminal(box.current)
    const session = startSession(serverId, terminal, setState)
    terminal.onData(text => session.type(encoder.encode(text)))
    terminal.onBinary(binary => session.type(bytesOf(binary)))
    terminal.onResize(size => session.resize(size))
    terminal.focus()
    held.current = { session, terminal }
    return () => {
      session.stop()
      dispose()
    }
  }, [serverId])
  const reconnect = () => {
    held.current?.session.reconnect()
    held.current?.terminal.focus()
  }
  return { box, ...state, reconnect }
}
