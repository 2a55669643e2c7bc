import { checkNetwork, checkSlug } from './values.ts'
import { block, type Directive, directive, template, variable } from './writer.ts'

/** Which site; null for everything that the edge serves. */
type Place = string | null

/** Slugs have no underscores, so no two places share a variable. */
const variableOf = (place: Place) =>
  variable(
    place === null
      ? 'fleetpress_address_blocked'
      : `fleetpress_address_blocked_for_${checkSlug('name', place).replaceAll('-', '_')}`,
  )

/** Says of each visitor whether the address is blocked; behind a trusted proxy it is the one that the proxy reports. */
export const blockedVisitors = (place: Place, networks: readonly string[] = []): Directive[] =>
  networks.length === 0
    ? []
    : [
        block(
          ['geo', variableOf(place)],
          [
            directive('default', 0),
            ...[...new Set(networks)].map(network => directive(checkNetwork('blocked', network), 1)),
          ],
        ),
      ]

/** For a server block. */
export const refuseBlocked = (place: Place, networks: readonly string[] = []): Directive[] =>
  networks.length === 0
    ? []
    : [
        block(
          ['if', template`(${variableOf(place)}`, '=', '1)'],
          [directive('set', variable('fleetpress_blocked_by'), 'address'), directive('return', 403)],
        ),
      ]
