import type { Mount } from '#drivers/docker/container-spec.ts'
import type { EdgeSite } from '#drivers/nginx/edge-site.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { NewSitePlugin, NewSiteRecipe, ProtectionLevel } from './contract.ts'
import type { SiteRow } from './site-store.ts'

/** What a feature adds to how the edge serves a site. */
export type SiteEdgePart = Partial<Pick<EdgeSite, 'headers' | 'bodyLimitBytes' | 'blocked' | 'guard'>>

/** What a feature adds to the container of a site. */
export interface SiteContainerPart {
  readonly mounts?: readonly Mount[]
  readonly env?: Readonly<Record<string, string>>
}

/** What features offer for a new site. */
export interface NewSiteOptions {
  readonly plugins?: readonly NewSitePlugin[]
  readonly recipes?: readonly NewSiteRecipe[]
}

/** What was chosen for a new site; absent where no one has chosen. */
export interface NewSiteChoices {
  readonly pluginIds?: readonly string[] | undefined
  readonly recipeIds?: readonly string[] | undefined
}

/** Everything raised within a step may be raised again after a crash. */
interface InStep<Payload> {
  payload: Payload
  answer: void
  scope: StepScope
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** What can people choose for a new site? */
    newSiteOptions: { payload: Record<string, never>; answer: NewSiteOptions }
    /** Someone asks for a new site: refuse what they chose, or say what is chosen where they left it open. */
    newSiteChoices: { payload: NewSiteChoices; answer: NewSiteChoices }
    /** A new site answers visitors: features set up what belongs to it, and what was chosen for it. */
    siteCreated: InStep<{ site: SiteRow; chosen: NewSiteChoices }>
    /** The row of a new site is being written, within a transaction: features keep what was chosen for it. */
    siteAdding: { payload: { slug: string; protection: ProtectionLevel | undefined }; answer: void }
    /**
     * A part of the log of a server's edge is being counted, within a transaction: features keep what they need of these lines, and
     * no line comes twice. A site is older than what belongs to it.
     */
    edgeLogRead: {
      payload: { serverId: number; lines: readonly string[]; madeAt: ReadonlyMap<string, number> }
      answer: void
    }
    /** Something is about to be done to a site that can't be undone: back it up, once for each id. One answer. */
    siteBackup: InStep<{ site: SiteRow; id: string; type: 'final' | 'pre_update'; note: string }>
    /** A site is being deleted, or its creation is rolled back: features delete what they keep about it. */
    siteDeleting: InStep<{ site: SiteRow }>
    /** The names, PHP version or status of a site changed, or it was reconciled: features follow. */
    siteChanged: InStep<{ site: SiteRow }>
    /** A site is about to move: features prepare the other server. */
    siteMoving: InStep<{ site: SiteRow; toServerId: number }>
    /** The move was rolled back: features remove what they prepared. */
    siteMoveUndone: InStep<{ site: SiteRow; toServerId: number }>
    /** The site now lives on another server: features move along. */
    siteMoved: InStep<{ site: SiteRow; fromServerId: number }>
    /** The edge of a server is being written: what do features add for its sites? By slug. */
    siteEdge: {
      payload: { serverId: number; sites: readonly SiteRow[] }
      answer: ReadonlyMap<string, SiteEdgePart>
    }
    /** The container of a site is about to be created or compared. */
    siteContainer: { payload: { site: SiteRow }; answer: SiteContainerPart; scope: StepScope }
  }
}
