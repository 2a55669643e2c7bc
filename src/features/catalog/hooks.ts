import type { StepScope } from '#platform/jobs/job-type.ts'
import type { ZipFinding } from './contract.ts'

/** A plugin as some site has it. */
export interface PluginUse {
  readonly siteSlug: string
  readonly folder: string
  readonly version: string
}

/** An unpacked zip on a server, for a scanner that can only read it. */
export interface UnpackedZip {
  readonly serverId: number
  /** On the server; the plugin's own folder lies in it. */
  readonly folder: string
  readonly pluginFolder: string
  readonly files: number
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** A zip was unpacked for its check: which of its files look like malware? Paths are relative to the plugin's folder. */
    judgeZip: { payload: UnpackedZip; answer: readonly ZipFinding[]; scope: StepScope }
    /** Which sites have plugins in these folders? All plugins when absent. */
    pluginUses: { payload: { folders?: readonly string[] }; answer: readonly PluginUse[] }
    /** A plugin of the catalog is about to be deleted: features delete what refers to it. */
    pluginDeleting: { payload: { id: string; slug: string }; answer: void }
  }
}
