import type { Contract } from '#platform/contract/endpoint.ts'
import type { Feature } from '#platform/feature.ts'

/** In the order of the contracts, those without one by name; each comes after all that it uses. */
export const orderFeatures = (found: readonly Feature[], contracts: Readonly<Record<string, Contract>>): Feature[] => {
  const byName = new Map(found.map(feature => [feature.name, feature]))
  const ordered = new Set<Feature>()
  const add = (name: string): void => {
    const feature = byName.get(name)
    if (!feature) throw new Error(`there is no feature ${name} in src/features`)
    if (ordered.has(feature)) return
    refuseOtherContract(feature, contracts[name])
    feature.uses.forEach(add)
    ordered.add(feature)
  }
  for (const name of [...Object.keys(contracts), ...[...byName.keys()].toSorted()]) add(name)
  return [...ordered]
}

const refuseOtherContract = ({ name, contract }: Feature, listed: Contract | undefined): void => {
  if (listed ? listed !== contract : Object.keys(contract).length > 0)
    throw new Error(`the contract of ${name} is not the one in src/app/contract.ts; add it to the list there`)
}
