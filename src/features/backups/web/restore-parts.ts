import type { Site } from '#features/sites/contract.ts'

/** What a person can restore, and what the API calls it. */
export const PARTS = [
  { value: 'all', label: 'Files and database', parts: 'all' },
  { value: 'files', label: 'All files', parts: 'files' },
  { value: 'database', label: 'The whole database', parts: 'database' },
  { value: 'paths', label: 'Some files or folders', parts: 'files', field: 'paths' },
  { value: 'tables', label: 'Some tables', parts: 'database', field: 'tables' },
] as const
export type Part = (typeof PARTS)[number]['value']

export const partOf = (part: Part): { parts: 'all' | 'files' | 'database'; field?: 'paths' | 'tables' } =>
  PARTS.find(({ value }) => value === part) ?? PARTS[0]

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

const replaced: Record<Part, readonly string[]> = {
  all: [
    'All files are replaced. Files added since then are removed.',
    'The database is replaced. Posts, users and orders added since then are removed.',
  ],
  files: ['All files are replaced. Files added since then are removed.', 'The database is not changed.'],
  database: [
    'The database is replaced. Posts, users and orders added since then are removed.',
    'Files are not changed.',
  ],
  paths: ['These files and folders are replaced. Nothing else is changed.'],
  tables: ['These tables are replaced. Nothing else is changed.'],
}

interface Restore {
  part: Part
  isSafe: boolean
  site: Pick<Site, 'status' | 'missing'>
}

/** A site that is not complete on its server comes back with this. */
const recreated: Record<NonNullable<Site['missing']>, readonly string[]> = {
  all: ['The site is created again from the backup.'],
  files: ['The files come from the backup. The database is not changed.'],
  database: ['The database comes from the backup. Files are not changed.'],
}

/** What a restore does, one sentence each. */
export const restoreEffects = ({ part, isSafe, site }: Restore): string[] =>
  site.missing === null
    ? effectsOn(site, { part, isSafe })
    : [...recreated[site.missing], 'If anything fails, nothing of it is left behind, and you can restore again.']

const effectsOn = ({ status }: Restore['site'], { part, isSafe }: Pick<Restore, 'part' | 'isSafe'>): string[] => [
  ...replaced[part],
  ...(status === 'running' ? ['The site is briefly offline while it is replaced.'] : []),
  isSafe
    ? 'The current state is backed up first, so you can undo the restore.'
    : "Without a backup of the current state, you can't undo the restore.",
  'If anything fails, the site stays as it is now.',
]
