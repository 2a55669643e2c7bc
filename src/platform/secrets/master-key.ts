import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '#platform/config/config.ts'

export const MASTER_KEY_FILE = 'master.key'
const KEY_BYTES = 32

/** The key as text: 64 hexadecimal digits and a line end. */
export const encodeMasterKey = (key: Buffer): string => `${key.toString('hex')}\n`

/** Whether the bytes repeat or count up, as in examples; random ones do not, not once in the life of the universe. */
const isSample = (key: Buffer): boolean => {
  const steps = [...key].map((byte, index) => (byte - (key[index - 1] ?? 0)) & 0xff)
  return new Set(key).size < 16 || new Set(steps).size < 16
}

/** Refuses whatever is not 32 bytes that could have come from a random source. */
export const parseMasterKey = (text: string, where: string): Buffer => {
  const hex = text.trim()
  if (!/^[0-9a-f]{64}$/.test(hex)) {
    throw new ConfigError(
      `${where} is not a master key (64 hexadecimal digits). Restore the copy that \`./fleetpress key export\` wrote.`,
    )
  }
  const key = Buffer.from(hex, 'hex')
  if (isSample(key)) throw new ConfigError(`${where} contains a sample, not a random key. Restore the real one.`)
  return key
}

/** The key in the data folder, or undefined before the first start. */
export const findMasterKey = (dataDir: string): Buffer | undefined => {
  const file = join(dataDir, MASTER_KEY_FILE)
  if (!existsSync(file)) return undefined
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  return parseMasterKey(readFileSync(file, 'utf8'), file)
}

/** Whole or not at all: a start that is cut off in the middle must not leave half a key behind. */
export const createMasterKey = (dataDir: string): Buffer => {
  const key = randomBytes(KEY_BYTES)
  const file = join(dataDir, MASTER_KEY_FILE)
  const part = `${file}.${process.pid}.part`
  rmSync(part, { force: true })
  writeMasterKey(part, key)
  try {
    linkSync(part, file)
    syncFolder(dataDir)
  } finally {
    rmSync(part, { force: true })
  }
  return key
}

const syncFolder = (folder: string) => {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Written once, never over an existing file. */
export const writeMasterKey = (file: string, key: Buffer) => {
  const fd = openSync(file, 'wx', 0o600)
  try {
    writeSync(fd, encodeMasterKey(key))
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
