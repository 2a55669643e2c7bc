import { SITE_POOL } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'
import { type FleetDefault, type InForce, resolve } from './levels/resolve.ts'
import { getProtection } from './protection-store.ts'
import type { GuardSettings } from './rules/guard.ts'
import { protectionSettings } from './settings.ts'

export interface Fleet extends FleetDefault, GuardSettings {}

/** What applies to all sites. */
export const readFleet = async ({ settings }: Pick<Scope, 'settings'>): Promise<Fleet> => {
  const { defaultLevel, defaultOverrides, xmlrpcNeverLimited } = await settings.read(protectionSettings)
  return {
    level: defaultLevel,
    overrides: defaultOverrides,
    neverLimited: xmlrpcNeverLimited,
    inside: [SITE_POOL, '127.0.0.0/8', '::1'],
  }
}

/** The level of a site and what it means, row by row. */
export const protectionOf = async (scope: Pick<Scope, 'db' | 'settings'>, slug: string): Promise<InForce> =>
  resolve(await getProtection(scope.db, slug), await readFleet(scope))
