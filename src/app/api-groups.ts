import type { Contract } from '#platform/contract/endpoint.ts'
import type { Feature } from '#platform/feature.ts'
import { features } from './features.ts'

export interface ApiGroup {
  readonly name: string
  readonly contract: Contract
}

/** The groups of the API as the spec names them; several features may serve one group. */
export const apiGroups = (those: readonly Feature[] = features): ApiGroup[] => {
  const groups = Map.groupBy(those, feature => feature.group)
  return [...groups].flatMap(([name, members]) =>
    name === undefined
      ? []
      : [{ name, contract: Object.assign({}, ...members.map(({ contract }) => contract)) as Contract }],
  )
}
