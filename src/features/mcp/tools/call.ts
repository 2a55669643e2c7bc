import { z } from 'zod'
import { answerOf } from './data.ts'
import { bodyInput, callInput, requestOf } from './endpoint-call.ts'
import { getEndpoint } from './find-endpoint.ts'
import { defineTool } from './tool.ts'

export const call = defineTool({
  name: 'call',
  title: 'Call',
  description:
    'Calls an endpoint that changes something without destroying anything. If the answer has a job, follow it with wait_for_job.',
  reach: 'change',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ ...callInput, body: bodyInput }),
  async run({ endpoint, ...args }, use) {
    const served = getEndpoint(use.scope.endpoints, endpoint)
    return answerOf(endpoint, await use.call(requestOf(served, args)))
  },
})
