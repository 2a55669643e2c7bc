import { ERRANDS } from './errands.ts'
import { FOREIGN } from './foreign.ts'
import { HARM } from './harm.ts'
import { HIDDEN } from './hidden.ts'
import { INDIRECT } from './indirect.ts'
import { MARKS } from './marks.ts'
import { OTHERS } from './others.ts'
import { PLAIN } from './plain.ts'
import { SERVERS } from './servers.ts'
import type { Technique } from './technique.ts'
import { TOOLS } from './tools.ts'
import { WILD } from './wild.ts'

export const TECHNIQUES: readonly Technique[] = [
  ...PLAIN,
  ...HIDDEN,
  ...TOOLS,
  ...OTHERS,
  ...FOREIGN,
  ...WILD,
  ...INDIRECT,
  ...SERVERS,
  ...MARKS,
  ...ERRANDS,
  ...HARM,
]
