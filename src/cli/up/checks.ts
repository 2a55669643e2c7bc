import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { errnoOf, Failure, messageOf } from '../failure.ts'
import { bytes } from '../terminal.ts'

const NEEDED_BYTES = 1024 ** 3
const SUPPORTED = 'Debian 12 or 13, or a system based on one of them'

/** The folder itself, or the nearest one above it that is there already. */
const nearestExisting = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Only root may do all the panel does; someone else may try it out in their own folder. */
export const checkRights = (dataDir: string, uid: number): string => {
  if (uid === 0) return 'root'
  const folder = nearestExisting(dataDir)
  if (statSync(folder).isDirectory() && isWritable(folder)) return `not root, but ${dataDir} is writable`
  throw new Failure(
    `No permission to write to ${dataDir}: run it as root (sudo ./fleetpress up), or set FLEETPRESS_DATA to a folder of your own.`,
  )
}

const DEBIAN_VERSIONS: Record<string, string> = { bookworm: '12', trixie: '13' }

/** Derivatives say which Debian they are made from in DEBIAN_CODENAME or VERSION_CODENAME. */
export const checkSystem = (osReleaseFile = '/etc/os-release'): string => {
  const release = existsSync(osReleaseFile) ? parseEnv(readFileSync(osReleaseFile, 'utf8')) : {}
  const name = release.PRETTY_NAME || release.NAME || 'an unknown system'
  const family = [release.ID, ...(release.ID_LIKE ?? '').split(' ')]
  const codename = release.DEBIAN_CODENAME || release.VERSION_CODENAME || ''
  const version = release.ID === 'debian' ? release.VERSION_ID : DEBIAN_VERSIONS[codename]
  if (family.includes('debian') && (version === '12' || version === '13')) return name
  throw new Failure(`This machine runs ${name}, which Fleetpress does not support: use ${SUPPORTED}.`)
}

export const checkDisk = (dataDir: string, neededBytes = NEEDED_BYTES): string => {
  const { bavail, bsize } = statfsSync(nearestExisting(dataDir))
  const free = bavail * bsize
  if (free >= neededBytes) return `${bytes(free)} free`
  throw new Failure(
    `Only ${bytes(free)} are free for ${dataDir}, and Fleetpress needs ${bytes(neededBytes)}: free some space, or set FLEETPRESS_DATA to a folder on a larger disk.`,
  )
}

/** Makes the folder for its owner alone, and closes one that others could read. */
export const ensureDataFolder = (dataDir: string): string => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if ((statSync(dataDir).mode & 0o777) !== 0o700) chmodSync(dataDir, 0o700)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    return dataDir
  } catch (error) {
    const reason = errnoOf(error) ?? messageOf(error)
    throw new Failure(
      `The data folder ${dataDir} can't be created or written to (${reason}): set FLEETPRESS_DATA to a folder on a writable disk.`,
    )
  }
}
