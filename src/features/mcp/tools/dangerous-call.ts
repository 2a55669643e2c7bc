import { z } from 'zod'
import { blastRadius } from '../confirm/blast-radius.ts'
import { canSucceed } from './can-succeed.ts'
import { answerOf } from './data.ts'
import { bodyInput, callInput, requestOf } from './endpoint-call.ts'
import { getEndpoint } from './find-endpoint.ts'
import { defineTool } from './tool.ts'

export const dangerousCall = defineTool({
  name: 'dangerous_call',
  title: 'Dangerous call',
  description:
    'Calls a destructive endpoint. A person has to confirm: either the app asks them, or they get a code in the panel; then repeat the same call with that code.',
  reach: 'destroy',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    ...callInput,
    body: bodyInput,
    code: z.string().max(40).optional().describe('confirmation code'),
  }),
  async run({ endpoint: id, code, ...args }, use) {
    const served = getEndpoint(use.scope.endpoints, id)
    const request = requestOf(served, args)
    if (canSucceed(use.actor, 'destroy', served, args)) {
      const waiting = await use.confirm({ endpoint: served, text: await blastRadius(use.scope.db, served, args), code })
      if (waiting) return waiting
    }
    return answerOf(id, await use.call(request))
  },
})
