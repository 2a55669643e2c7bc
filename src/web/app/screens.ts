import type { WebFeature } from '#web/client/registration.ts'
import { registryOf } from '#web/client/registry.ts'

const found = import.meta.glob<Record<string, WebFeature>>('../../features/*/web/screens.ts', { eager: true })

/** What every feature with a `web/screens.ts` registers: sidebar, routes, tabs, Home and palette follow from it. */
export const registry = registryOf(Object.values(found).flatMap(file => Object.values(file)))
