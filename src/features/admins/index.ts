export {
  type AdminRow,
  findAdmin,
  findAdminByEmail,
  findOwner,
  insertAdmin,
  normalEmail,
  updateAdmin,
} from './admin-store.ts'
export { attempt, slowAttempt, WRONG_CODES_ALLOWED, WRONG_PASSWORDS_ALLOWED } from './attempts.ts'
export { type AdminAddress, listAdminAddresses } from './known-address-store.ts'
export { callsFromKnownAddress, rememberCaller } from './known-addresses.ts'
export { newLink, sendLater } from './links.ts'
export { newAdmin } from './new-admin.ts'
export { callingPerson, currentSession, proofOf, requireProof } from './own-password.ts'
export { hashNewPassword, passwordFits } from './password.ts'
export { deleteSession } from './session-store.ts'
export { csrfTokenOf, endSessions, hashOf, KNOWN_SESSIONS, randomToken, startSession } from './sessions.ts'
export { showAdmin } from './show.ts'
export { deleteTokensOf, findToken, insertToken, spendToken } from './token-store.ts'
export { acceptTotpCode, spendRecoveryCode } from './totp.ts'
