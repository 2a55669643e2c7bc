import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FRESH_MS = 60_000
const fileIn = (dataDir: string): string => join(dataDir, 'maintenance')

/** The panel is being updated and refuses changes. Its updater says so again and again, or is gone. */
export const isInMaintenance = (dataDir: string): boolean => {
  const found = statSync(fileIn(dataDir), { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs < FRESH_MS
}

export const sayMaintenance = (dataDir: string): void => writeFileSync(fileIn(dataDir), '', { mode: 0o600 })

export const endMaintenance = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true })
