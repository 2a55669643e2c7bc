import { readdirSync } from 'node:fs'
import type { Feature } from '#platform/feature.ts'
import { contracts } from './contract.ts'
import { orderFeatures } from './order-features.ts'

const FOLDER = new URL('../features/', import.meta.url)

const load = async (name: string): Promise<Feature> => {
  const { feature } = (await import(`#features/${name}/feature.ts`)) as { feature: Feature }
  return feature
}

/** Every feature of the product, one for each folder of src/features, those that others use first. */
export const features: readonly Feature[] = orderFeatures(await Promise.all(readdirSync(FOLDER).map(load)), contracts)
