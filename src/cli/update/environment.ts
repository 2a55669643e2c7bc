import { readFileSync } from 'node:fs'
import { PANEL_VARIABLES } from '../panel/environment.ts'
import type { Running } from '../panel/running.ts'

/** The variables a running panel was started with: what updates it may have been started with others. */
export const variablesOf = ({ identity }: Running): Record<string, string> => {
  const lines = readFileSync(`/proc/${identity.pid}/environ`, 'utf8').split('\0')
  const pairs = lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
  return Object.fromEntries(pairs.filter(([name]) => PANEL_VARIABLES.includes(name)))
}
