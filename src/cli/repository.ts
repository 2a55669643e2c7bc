import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder this copy of Fleetpress lies in, wherever it was called from. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export const inRepository = (...parts: string[]): string => join(ROOT, ...parts)

/** The CLI runs on the Node of node_modules, and so does whatever it starts. */
export const NODE = process.execPath
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--require',
  inRepository('src', 'cli', 'quick-start.cjs'),
]
/** A panel at rest keeps what its heap once grew to, so it may not grow far. */
export const PANEL_FLAGS = [...NODE_FLAGS, '--max-semi-space-size=2', '--expose-gc']
/** The panel as a process. */
export const PANEL_WORDS = [...PANEL_FLAGS, inRepository('src', 'main.ts')]

export const readVersion = (): string => {
  const file: { version: string } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'))
  return file.version
}
