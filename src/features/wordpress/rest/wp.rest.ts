import { z } from 'zod'
import { type SiteInput, siteInput, siteOf } from '#features/sites/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { defineJob, type StepContext } from '#platform/jobs/job-type.ts'
import { namedLaneOnServer } from '#platform/jobs/lane.ts'
import { requireRunning } from '../run-script.ts'
import { callRest } from './call-rest.ts'
import { RestAnswer, RestCall } from './contract.ts'

const MINUTE_MS = 60_000

interface Input extends SiteInput {
  timeoutMin: number
  call: RestCall | null
}
interface State {
  begun: boolean
  answer: RestAnswer
}
const Result = z.strictObject({ answer: onlyFor('manage', RestAnswer) })

export const wpRest = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'wp.rest',
  label: 'Call a REST route',
  description: 'Sends a request to a REST route of a site. Any answer but 2xx fails the job.',
  category: 'wordpress',
  timeoutMs: 65 * MINUTE_MS,
  input: z.strictObject({ ...siteInput, timeoutMin: z.number(), call: onlyFor('manage', RestCall) }),
  result: Result,
  target: ({ slug, serverId }) => ({ siteSlug: slug, serverId }),
  lanes: ({ serverId }) => [namedLaneOnServer('exec', serverId)],
  steps: [{ id: 'call-route', label: 'Calling the route', run: context => callOnce(context) }],
  finish: ({ answer = null }) => ({ answer }),
})

const callOnce = async (context: StepContext<Input, State>): Promise<void> => {
  const { state, input } = context
  if (!state.answer) {
    // What was sent may have been done, so it is not sent a second time.
    if (state.begun)
      throw new CodedError('interrupted', 'The panel was restarted before the answer came. Check the site.')
    const site = await siteOf(context)
    requireRunning(site)
    state.begun = true
    await context.save()
    const call = RestCall.parse(input.call)
    state.answer = await callRest(context, site, call, input.timeoutMin * MINUTE_MS)
    await context.save()
    context.output('stdout', JSON.stringify(state.answer, null, 2))
  }
  const { status, error } = state.answer
  if (error !== null) throw new CodedError('no_answer', `The site did not answer: ${error}.`)
  if (status === null || status < 200 || status > 299)
    throw new CodedError('rest_failed', `The site answered ${status}.`)
}
