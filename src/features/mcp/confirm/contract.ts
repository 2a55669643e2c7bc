import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id } from '#platform/contract/identifiers.ts'

const person = { level: 'full', mcp: 'no', personOnly: true } as const
const params = z.object({ id: Id })

export const confirmations = contract({
  mcpConfirmationGet: {
    ...person,
    method: 'GET',
    path: '/api/mcp/confirmations/:id',
    summary: 'Show a dangerous call that an AI connection wants to make',
    params,
    reply: z.object({
      confirmation: z.object({
        id: z.string(),
        connectionName: z.string(),
        endpoint: z.string(),
        effect: z.string().describe('what would happen'),
        expiresAt: z.number(),
        isOpen: z.boolean().describe('false once it was made or it is too late'),
      }),
    }),
  },
  mcpConfirmationApprove: {
    ...person,
    method: 'POST',
    path: '/api/mcp/confirmations/:id/approve',
    summary: 'Allow a dangerous call of an AI connection once; returns the code that the app needs',
    params,
    reply: z.object({ code: z.string() }),
  },
})
