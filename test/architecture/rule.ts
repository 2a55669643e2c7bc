/** Repository path (with forward slashes) to the text of the file. */
export type SourceFiles = ReadonlyMap<string, string>

/** How much a rule looked at, so that a rule that matches nothing cannot pass unnoticed, and what it found. */
export interface RuleReport {
  checked: number
  violations: string[]
}

export type Rule = (files: SourceFiles) => RuleReport

/** A set of files made up to break a rule, and a part of each sentence the rule has to answer with. */
export interface PlantedViolation {
  title: string
  files: Record<string, string>
  reports: string[]
}

export interface RuleProof {
  clean: Record<string, string>
  planted: PlantedViolation[]
}

export const toSourceFiles = (files: Record<string, string>): SourceFiles => new Map(Object.entries(files))
