import { z } from 'zod'
import { answerOf } from './data.ts'
import { callInput, requestOf } from './endpoint-call.ts'
import { getEndpoint } from './find-endpoint.ts'
import { defineTool, READS } from './tool.ts'

export const read = defineTool({
  name: 'read',
  title: 'Read',
  description: 'Calls an endpoint that only reads. Long answers are cut; pass offset to read on.',
  reach: 'read',
  hints: READS,
  input: z.strictObject({ ...callInput, offset: z.int().min(0).optional().describe('where to read on') }),
  async run({ endpoint, offset, ...args }, use) {
    const served = getEndpoint(use.scope.endpoints, endpoint)
    const answer = await use.call(requestOf(served, args))
    return answerOf(endpoint, answer, { offset: offset ?? 0, readOn: 'Repeat the call with offset {offset}.' })
  },
})
