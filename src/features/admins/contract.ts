import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Email, Id, Label, NewPassword, Password } from '#platform/contract/identifiers.ts'

export const Preferences = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  language: z.enum(['en']).optional(),
  timeZone: z
    .string()
    .max(60)
    .regex(/^[A-Za-z0-9+_/-]+$/, 'must be a time zone such as Europe/Berlin')
    .optional(),
})

export const Admin = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  owner: z.boolean(),
  disabled: z.boolean(),
  invited: z.boolean().describe("hasn't set a password yet"),
  totp: z.boolean().describe('signs in with a second factor'),
  preferences: Preferences,
  createdAt: z.number(),
  lastLoginAt: z.number().nullable(),
})
export type Admin = z.infer<typeof Admin>

export const SessionRecord = z.object({
  id: z.string(),
  current: z.boolean(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  expiresAt: z.number(),
  address: z.string(),
  userAgent: z.string(),
})

const ok = z.object({ ok: z.literal(true) })
const account = { level: 'full', mcp: 'no', personOnly: true } as const
/** Wrong passwords are counted per person as well; this keeps a stolen session from guessing. */
const guarded = { ...account, destructive: true, limit: { requests: 10, windowMs: 60_000 } } as const
const ownPassword = Password.describe("the caller's own password")
const REVOKING_BODY_BYTES = 256 * 1024
const keysToRevoke = z
  .array(Id)
  .max(500)
  .prefault([])
  .describe('ids of API keys this admin created (`createdByAdmin` in the list of keys) to revoke with it')

export const admins = contract({
  adminList: {
    method: 'GET',
    path: '/api/admins',
    level: 'full',
    summary: 'List the people who can sign in',
    reply: z.object({ items: z.array(Admin) }),
  },
  adminInvite: {
    ...guarded,
    method: 'POST',
    path: '/api/admins',
    summary: 'Invite a person; they get a link by email to set a password',
    body: z.strictObject({ email: Email, name: Label.describe('name of the person'), password: ownPassword }),
    reply: z.object({
      admin: Admin,
      link: z
        .string()
        .nullable()
        .describe("to send yourself when the email couldn't be sent; shown once, works once, expires in seven days"),
    }),
    status: 201,
  },
  adminUpdate: {
    ...guarded,
    method: 'PATCH',
    path: '/api/admins/:id',
    summary: 'Rename, lock or unlock a person',
    params: z.object({ id: Id }),
    body: z.strictObject({
      name: Label.optional().describe('name of the person'),
      disabled: z.boolean().optional().describe('true: may not sign in, and is signed out'),
      revokeKeys: keysToRevoke,
      password: ownPassword,
    }),
    maxBodyBytes: REVOKING_BODY_BYTES,
    reply: z.object({ admin: Admin }),
  },
  adminDelete: {
    ...guarded,
    method: 'DELETE',
    path: '/api/admins/:id',
    summary: 'Remove a person; never the owner',
    params: z.object({ id: Id }),
    body: z.strictObject({ revokeKeys: keysToRevoke, password: ownPassword }),
    maxBodyBytes: REVOKING_BODY_BYTES,
    reply: ok,
  },
  adminResetTotp: {
    ...guarded,
    method: 'POST',
    path: '/api/admins/:id/reset-totp',
    summary: "Reset a person's second factor, for someone who lost theirs",
    params: z.object({ id: Id }),
    body: z.strictObject({ password: ownPassword }),
    reply: z.object({ admin: Admin }),
  },
  accountUpdate: {
    ...account,
    method: 'PATCH',
    path: '/api/account',
    summary: "Change the caller's own name and preferences",
    body: z.strictObject({
      name: Label.optional().describe('your name'),
      preferences: Preferences.optional().describe('theme and time zone'),
    }),
    reply: z.object({ admin: Admin }),
  },
  accountPassword: {
    ...guarded,
    method: 'PUT',
    path: '/api/account/password',
    summary: "Change the caller's own password; ends their other sessions",
    body: z.strictObject({ password: ownPassword, newPassword: NewPassword }),
    reply: ok,
  },
  accountEmail: {
    ...guarded,
    method: 'PUT',
    path: '/api/account/email',
    summary: "Change the caller's own address; takes effect when the link sent there is opened",
    body: z.strictObject({ password: ownPassword, email: Email }),
    reply: ok,
  },
  accountTotpBegin: {
    ...account,
    method: 'POST',
    path: '/api/account/totp',
    summary: 'Start setting up a second factor',
    limit: { requests: 10, windowMs: 60_000 },
    body: z.strictObject({ password: ownPassword }),
    reply: z.object({ secret: z.string(), otpauthUrl: z.string(), qrSvg: z.string() }),
  },
  accountTotpEnable: {
    ...guarded,
    method: 'PUT',
    path: '/api/account/totp',
    summary: 'Turn the second factor on with a first code, or get new recovery codes with the own password',
    body: z.union([
      z.strictObject({ code: z.string().min(1).max(20).describe('from the app, to turn the second factor on') }),
      z.strictObject({
        password: ownPassword.describe("the caller's own password, for new recovery codes; the old ones stop working"),
      }),
    ]),
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
  },
  accountTotpDisable: {
    ...guarded,
    method: 'DELETE',
    path: '/api/account/totp',
    summary: "Turn off the caller's own second factor",
    body: z.strictObject({ password: ownPassword }),
    reply: ok,
  },
  accountSessions: {
    ...account,
    method: 'GET',
    path: '/api/account/sessions',
    summary: "List the caller's own sessions",
    reply: z.object({ items: z.array(SessionRecord) }),
  },
})
