import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { Scope } from '#platform/scope.ts'
import { type AdminRow, replaceRecoveryCodes, spendTotpStep } from './admin-store.ts'

const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
const RECOVERY_CODES = 10

const totpFor = (secret: string, email: string) =>
  new TOTP({ issuer: 'Fleetpress', label: email, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })

const purpose = (adminId: string) => `totp:${adminId}`

export const newTotp = (email: string) => {
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const otpauthUrl = totpFor(secret, email).toString()
  return { secret, otpauthUrl, qrSvg: renderSVG(otpauthUrl, { border: 2 }) }
}

export const sealTotp = (scope: Scope, adminId: string, secret: string): string =>
  scope.secrets.seal(purpose(adminId), secret)

/** Accepts a code of this half minute or its neighbours, each one once. */
export const acceptTotpCode = async (
  scope: Scope,
  admin: AdminRow,
  sealed: string | null,
  code: string,
): Promise<boolean> => {
  const digits = code.replace(/\s/g, '')
  if (sealed === null || !/^\d{6}$/.test(digits)) return false
  const totp = totpFor(scope.secrets.open(purpose(admin.id), sealed), admin.email)
  const delta = totp.validate({ token: digits, window: 1, timestamp: scope.now() })
  if (delta === null) return false
  return spendTotpStep(scope.db, admin.id, Math.floor(scope.now() / 1000 / PERIOD_SECONDS) + delta)
}

const hashCode = (code: string) => createHash('sha256').update(code).digest('hex')

/** Codes of 80 random bits; only their hashes are kept. */
export const newRecoveryCodes = (): { codes: string[]; stored: string } => {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    randomBytes(10)
      .toString('hex')
      .replace(/(.{5})(?=.)/g, '$1-'),
  )
  return { codes, stored: JSON.stringify(codes.map(hashCode)) }
}

/** Accepts a recovery code and takes it off the list. */
export const spendRecoveryCode = async (scope: Scope, admin: AdminRow, code: string): Promise<boolean> => {
  const hashes = JSON.parse(admin.recovery_codes) as string[]
  const left = hashes.filter(hash => hash !== hashCode(code.trim().toLowerCase()))
  return (
    left.length < hashes.length && replaceRecoveryCodes(scope.db, admin.id, admin.recovery_codes, JSON.stringify(left))
  )
}
