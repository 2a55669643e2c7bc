import { z } from 'zod'
import { Admin } from '#features/admins/contract.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { Email, Label, NewPassword } from '#platform/contract/identifiers.ts'

/** Not part of the API: reached once in a panel's life, through the link that `./fleetpress up` prints. */
export const setup = contract({
  setupOwner: {
    method: 'POST',
    path: '/setup',
    level: 'none',
    mcp: 'no',
    summary: 'Make the owner, with the one-time token from the console; gone for ever afterwards',
    limit: { requests: 30, windowMs: 60_000 },
    body: z.strictObject({
      token: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be the token from the link'),
      email: Email,
      name: Label,
      password: NewPassword,
    }),
    reply: z.object({ admin: Admin, csrfToken: z.string() }),
    status: 201,
  },
})
