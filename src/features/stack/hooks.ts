import type { BlockedNetwork } from '#drivers/nftables/render-firewall.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { ImageRecipe } from './images/recipes.ts'
import type { StackPart } from './part.ts'

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** What servers run next to their sites. */
    stackParts: { payload: Record<string, never>; answer: readonly StackPart[] }
    /** Which images do servers keep ready for containers that come and go? */
    stackImages: { payload: Record<string, never>; answer: readonly ImageRecipe[] }
    /** The firewall of a server is being written: whose packets does it drop? */
    blockedNetworks: { payload: { serverId: number }; answer: readonly BlockedNetwork[] }
    /** The stack of a server is in place and stays, whatever happens next: what is published there is published now. */
    serverProvisioned: { payload: { serverId: number }; answer: void; scope: StepScope }
  }
}
