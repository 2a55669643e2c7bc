import { LEVEL_ROWS, type Level, type Overrides, type Rows } from './contract.ts'

export interface Chosen {
  /** Null follows the fleet. */
  readonly level: Level | null
  readonly overrides: Overrides
}

export interface FleetDefault {
  readonly level: Level
  readonly overrides: Overrides
}

export interface InForce {
  readonly level: Level
  readonly rows: Rows
}

/** What applies to a site. Under Off nothing is switched back on. */
export const resolve = (chosen: Chosen, fleet: FleetDefault): InForce => {
  const level = chosen.level ?? fleet.level
  const layers = chosen.level === null ? [fleet.overrides, chosen.overrides] : [chosen.overrides]
  return { level, rows: level === 'off' ? LEVEL_ROWS.off : layers.reduce(withOverrides, LEVEL_ROWS[level]) }
}

/** XML-RPC that is limited only by an override has the limit of Standard, unless it says another one. */
const withOverrides = (rows: Rows, { rules, limits, headers, hardening }: Overrides): Rows => {
  const isLimitedNow = rules?.xmlrpc === 'limited' && rows.rules.xmlrpc !== 'limited' && rows.limits.xmlrpc === null
  return {
    rules: changed(rows.rules, rules),
    limits: changed(isLimitedNow ? { ...rows.limits, xmlrpc: LEVEL_ROWS.standard.limits.xmlrpc } : rows.limits, limits),
    headers: changed(rows.headers, headers),
    hardening: changed(rows.hardening, hardening),
  }
}

const changed = <T extends object>(rows: T, changes: { [K in keyof T]?: T[K] | undefined } = {}): T => ({
  ...rows,
  ...(changes as Partial<T>),
})

/** How many rows differ from the level. */
export const countOverrides = (overrides: Overrides): number =>
  Object.values(overrides).reduce((sum, part) => sum + Object.keys(part ?? {}).length, 0)
