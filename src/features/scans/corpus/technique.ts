/** One way to do harm: samples that must be found, and honest code that looks like it and must not be. */
export interface Technique {
  readonly name: string
  /** What at least one finding of each sample must be. */
  readonly severity: 'confirmed' | 'suspicious'
  readonly extension?: string
  readonly samples: readonly string[]
  readonly honest: readonly string[]
}
