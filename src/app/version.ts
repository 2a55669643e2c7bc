import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The version is written down once, in package.json. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** The folder of this copy of Fleetpress. */
export const ROOT: string = dirname(dirname(import.meta.dirname))
