import { HIDDEN } from './hidden.ts'
import { OTHERS } from './others.ts'
import { PLAIN } from './plain.ts'
import type { Technique } from './technique.ts'
import { TOOLS } from './tools.ts'

export const TECHNIQUES: readonly Technique[] = [...PLAIN, ...HIDDEN, ...TOOLS, ...OTHERS]
