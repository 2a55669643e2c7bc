export {
  type AdminRow,
  findAdmin,
  findAdminByEmail,
  findOwner,
  insertAdmin,
  normalEmail,
  updateAdmin,
} from './admin-store.ts'
export { attempt, WRONG_CODES_ALLOWED, WRONG_PASSWORDS_ALLOWED } from './attempts.ts'
export { newLink, sendLater } from './links.ts'
export { newAdmin } from './new-admin.ts'
export { currentSession } from './own-password.ts'
export { hashPassword, passwordFits } from './password.ts'
export { deleteSession } from './session-store.ts'
export { csrfTokenOf, endSessions, hashOf, KNOWN_SESSIONS, randomToken, startSession } from './sessions.ts'
export { showAdmin } from './show.ts'
export { deleteTokensOf, findToken, insertToken, spendToken } from './token-store.ts'
export { acceptTotpCode, spendRecoveryCode } from './totp.ts'
