import { z } from 'zod'
import { Admin } from '#features/admins/contract.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { Email, LinkToken, NewPassword, Password } from '#platform/contract/identifiers.ts'
import { ACCESS } from '#platform/contract/level.ts'

const ok = z.object({ ok: z.literal(true) })
const open = { level: 'none', mcp: 'no', method: 'POST' } as const

const SignedIn = z.object({ admin: Admin, csrfToken: z.string() })

export const login = contract({
  login: {
    ...open,
    path: '/api/auth/login',
    summary: 'Sign in; people with a second factor continue at /api/auth/login/totp',
    limit: { requests: 30, windowMs: 60_000 },
    body: z.strictObject({ email: Email, password: Password }),
    reply: z.union([SignedIn, z.object({ totpRequired: z.literal(true), challenge: z.string() })]),
  },
  loginTotp: {
    ...open,
    path: '/api/auth/login/totp',
    summary: 'Finish signing in with a code or a recovery code',
    limit: { requests: 30, windowMs: 60_000 },
    body: z.strictObject({
      challenge: LinkToken,
      code: z.string().min(1).max(40).describe('code from the app, or a recovery code'),
    }),
    reply: SignedIn,
  },
  forgotPassword: {
    ...open,
    path: '/api/auth/forgot-password',
    summary: 'Request a link to set a new password; the response is the same for every address',
    limit: { requests: 10, windowMs: 60_000 },
    body: z.strictObject({ email: Email }),
    reply: ok,
  },
  resetPassword: {
    ...open,
    path: '/api/auth/reset-password',
    summary: 'Set a password with the token of a reset link or an invitation; ends all sessions of the account',
    limit: { requests: 10, windowMs: 60_000 },
    body: z.strictObject({ token: LinkToken, password: NewPassword }),
    reply: ok,
  },
  confirmEmail: {
    ...open,
    path: '/api/auth/confirm-email',
    summary: 'Confirm a changed address with the token that was sent there',
    limit: { requests: 10, windowMs: 60_000 },
    body: z.strictObject({ token: LinkToken }),
    reply: ok,
  },
  sessionGet: {
    method: 'GET',
    path: '/api/auth/session',
    level: 'read-only',
    summary: 'Who is calling, and with what access',
    reply: z.object({
      access: z.enum(ACCESS),
      admin: Admin.optional(),
      key: z.object({ id: z.string(), name: z.string() }).optional(),
      csrfToken: z.string().optional(),
    }),
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    level: 'read-only',
    mcp: 'no',
    summary: "End the caller's session; does nothing with a key",
    reply: ok,
  },
  logoutOthers: {
    method: 'POST',
    path: '/api/auth/logout-others',
    level: 'full',
    mcp: 'no',
    personOnly: true,
    summary: "End the caller's other sessions, or one of them",
    body: z
      .strictObject({ id: z.string().min(1).max(64).optional().describe('of the session to end; default: all') })
      .prefault({}),
    reply: z.object({ ended: z.number() }),
  },
})
