import { features } from '#app/features.ts'
import type { ImageRecipe, StackPart } from '#features/stack/index.ts'
import { events } from '#platform/events/events.ts'
import type { Scope } from '#platform/scope.ts'

const asked = events(features.map(feature => feature.hooks ?? {}))

/** What servers run next to their sites, as the features say; none of them needs a panel to say it. */
export const stackParts = async (): Promise<StackPart[]> => (await asked.raise({} as Scope, 'stackParts', {})).flat()

/** What servers keep ready for containers that come and go. */
export const stackImages = async (): Promise<ImageRecipe[]> =>
  (await asked.raise({} as Scope, 'stackImages', {})).flat()
