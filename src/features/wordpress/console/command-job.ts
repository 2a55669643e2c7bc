import { z } from 'zod'
import { ifThere, type SiteInput, siteOf } from '#features/sites/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { Argv } from '#platform/host/command.ts'
import { HostTimeout } from '#platform/host/errors.ts'
import { defineJob, type JobType, type StepContext } from '#platform/jobs/job-type.ts'
import { namedLaneOnServer } from '#platform/jobs/lane.ts'
import { requireRunning } from '../run-script.ts'
import { endRun, forgetRun, runInSite } from './run-in-site.ts'

const MINUTE_MS = 60_000
/** For reaching the server and reading the last of the output. */
const SPARE_MS = 5 * MINUTE_MS
const LONGEST_MINUTES = 60

interface CommandInput extends SiteInput {
  timeoutMin: number
}
interface State {
  exitCode: number
}

const Result = z.strictObject({ exitCode: z.number() })

interface CommandJob<I extends CommandInput> extends Pick<JobType, 'type' | 'label' | 'description'> {
  input: z.ZodType<I>
  /** The program with its words, and what it reads. */
  program(input: I): { argv: Argv; stdin?: string | undefined }
}

/** A job that runs one command of a person in a site. Its output is in the job's log. */
export const defineCommandJob = <I extends CommandInput>({ program, ...job }: CommandJob<I>) =>
  defineJob<I, State, z.infer<typeof Result>>({
    ...job,
    category: 'wordpress',
    timeoutMs: LONGEST_MINUTES * MINUTE_MS + SPARE_MS,
    result: Result,
    target: ({ slug, serverId }) => ({ siteSlug: slug, serverId }),
    lanes: ({ serverId }) => [namedLaneOnServer('exec', serverId)],
    steps: [
      {
        id: 'run-command',
        label: 'Running the command',
        run: context => runOnce(context, program(context.input)),
        undo: ifThere<I, State>((context, site) => endRun(context, site)),
      },
    ],
    finish: ({ exitCode = 0 }) => ({ exitCode }),
  })

const runOnce = async <I extends CommandInput>(
  context: StepContext<I, State>,
  { argv, stdin }: { argv: Argv; stdin?: string | undefined },
): Promise<void> => {
  const { state, input } = context
  const site = await siteOf(context)
  if (state.exitCode === undefined) {
    requireRunning(site)
    const timeoutMs = input.timeoutMin * MINUTE_MS
    state.exitCode = await runInSite(context, site, { argv, stdin, timeoutMs }).catch(error => {
      throw error instanceof HostTimeout
        ? new CodedError('timeout', `It ran longer than ${input.timeoutMin} min.`)
        : error
    })
    // From here on the command is known to have run, and is not run again.
    await context.save()
  }
  await forgetRun(context, site)
  if (state.exitCode !== 0)
    throw new CodedError('command_failed', `The command ended with exit code ${state.exitCode}.`)
}
