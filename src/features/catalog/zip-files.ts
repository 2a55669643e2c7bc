import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { ROOT } from '#features/servers/index.ts'
import type { Installation } from '#platform/scope.ts'

/** On the panel's disk. */
export const zipsFolder = ({ dataDir }: Pick<Installation, 'dataDir'>): string => `${dataDir}/plugins`

export const zipPath = (installation: Pick<Installation, 'dataDir'>, sha256: string): string =>
  `${zipsFolder(installation)}/${sha256}.zip`

export const openZip = (installation: Pick<Installation, 'dataDir'>, sha256: string): Readable =>
  createReadStream(zipPath(installation, sha256))

/** On every server; not in any site's reach. */
export const COPIES_FOLDER = `${ROOT}/plugins`

/** As the program for files of a site reads its input, so that the server itself can hand it over. */
export const copyPath = (sha256: string): string => `${COPIES_FOLDER}/${sha256}.frames`
