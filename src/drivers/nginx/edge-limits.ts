import type { EdgeCondition } from './edge-conditions.ts'
import { checkRuleName } from './values.ts'
import { block, type Directive, directive, renderNginx, template, variable } from './writer.ts'

/** How often one address may send requests of a kind to a site. */
export interface EdgeLimit {
  readonly name: string
  /** All of them; every request if empty. */
  readonly conditions: readonly EdgeCondition[]
  /** Without one, these requests count for nothing. */
  readonly rate?: EdgeRate
}

export interface EdgeRate {
  readonly requests: number
  readonly per: 'second' | 'minute'
  /** As nginx counts it: so many may come at once after the first one. */
  readonly burst: number
}

type Counted = Pick<EdgeLimit, 'name' | 'rate'>

const ZONE_SIZE = '8m'

const zoneOf = (name: string, { requests, per }: EdgeRate): string =>
  `fleetpress_${checkRuleName('limit', name)}_${requests}_${per}`

const keyOf = (name: string) => variable(`fleetpress_key_${checkRuleName('limit', name).replaceAll('-', '_')}`)

/** For the location that is limited. */
export const limitOf = ({ name, rate }: Counted): Directive => {
  if (!rate) throw new Error(`the limit ${name} has no rate`)
  return directive('limit_req', `zone=${zoneOf(name, rate)}`, `burst=${rate.burst}`, 'nodelay')
}

/**
 * The file with what all sites of an edge share: memory for each rate that one of them has. Every site counts for itself.
 */
export const edgeLimits = (limits: readonly Counted[]): string => {
  const rates = limits.flatMap(({ name, rate }) => (rate ? [{ name, zone: zoneOf(name, rate), ...rate }] : []))
  const zones = [...new Map(rates.map(rate => [rate.zone, rate])).values()]
  const names = [...new Set(rates.map(({ name }) => name))].toSorted()
  const key = template`${variable('fleetpress_site')}:${variable('binary_remote_addr')}`
  const limit = variable('fleetpress_limit')
  return renderNginx([
    ...names.map(name => block(['map', limit, keyOf(name)], [directive('default', ''), directive(name, key)])),
    ...zones
      .toSorted((a, b) => (a.zone < b.zone ? -1 : 1))
      .map(({ name, zone, requests, per }) =>
        directive('limit_req_zone', keyOf(name), `zone=${zone}:${ZONE_SIZE}`, `rate=${requests}r/${per.charAt(0)}`),
      ),
  ])
}
