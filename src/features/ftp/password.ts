import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 8 MiB and about 25 ms for each try. The module of the FTP server spends the same on unknown names. */
const COST = { logN: 13, r: 8, p: 1 } as const
const KEY_BYTES = 32
const PASSWORD_BYTES = 18

const derive = promisify<string, string, number, { N: number; r: number; p: number }, Buffer>(scrypt)

/** The lowest six bits first, as crypt(3) writes numbers. */
const digits = (value: number, bits: number): string =>
  Array.from({ length: Math.ceil(bits / 6) }, (_, at) => ALPHABET[Math.floor(value / 64 ** at) % 64]).join('')

/** Three bytes at a time, the first one lowest. */
const encode = (bytes: Buffer): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3)
    text += digits(group.readUIntLE(0, group.length), group.length * 8)
  }
  return text
}

/** Scrypt as crypt(3) knows it (`$7$`), which is what the FTP server checks passwords with. */
export const hashPassword = async (password: string): Promise<string> => {
  const { logN, r, p } = COST
  const salt = encode(randomBytes(16))
  const key = await derive(password, salt, KEY_BYTES, { N: 2 ** logN, r, p })
  return `$7$${ALPHABET[logN]}${digits(r, 30)}${digits(p, 30)}${salt}$${encode(key)}`
}

/** Letters, digits, - and _: nothing that a client or an address would have to escape. */
export const generatePassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url')
