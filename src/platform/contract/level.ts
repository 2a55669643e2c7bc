/** What a caller may do. Levels nest: each includes all before it. `none` marks an endpoint that needs no credential. */
export const LEVELS = ['none', 'read-only', 'manage', 'full'] as const
export type Level = (typeof LEVELS)[number]

/** The levels a key or a person can have. */
export const ACCESS = ['read-only', 'manage', 'full'] as const
export type Access = (typeof ACCESS)[number]

export const LEVEL_NAMES: Record<Level, string> = {
  none: 'No key',
  'read-only': 'Read only',
  manage: 'Manage',
  full: 'Full',
}

export const reaches = (held: Level, needed: Level): boolean => LEVELS.indexOf(held) >= LEVELS.indexOf(needed)
