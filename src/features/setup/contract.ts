import { z } from 'zod'
import { Admin } from '#features/admins/contract.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { Email, Label, LinkToken, NewPassword } from '#platform/contract/identifiers.ts'

/** Not part of the API: reached once in a panel's life, through the link that `./fleetpress up` prints. */
export const setup = contract({
  setupOwner: {
    method: 'POST',
    path: '/setup',
    level: 'none',
    mcp: 'no',
    summary: 'Create the owner, with the one-time token from the console; only works once',
    limit: { requests: 30, windowMs: 60_000 },
    body: z.strictObject({
      token: LinkToken,
      email: Email,
      name: Label.describe('your name'),
      password: NewPassword,
    }),
    reply: z.object({ admin: Admin, csrfToken: z.string() }),
    status: 201,
  },
})
