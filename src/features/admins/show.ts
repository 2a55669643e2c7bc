import type { z } from 'zod'
import type { AdminRow } from './admin-store.ts'
import { type Admin, Preferences } from './contract.ts'

export const showAdmin = (row: AdminRow): z.input<typeof Admin> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  owner: row.owner === 1,
  disabled: row.disabled === 1,
  invited: row.password_hash === null,
  totp: row.totp_sealed !== null,
  preferences: Preferences.parse(JSON.parse(row.preferences)),
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
})
