import { z } from 'zod'
import { siteInput } from '#features/sites/index.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { defineCommandJob } from './command-job.ts'
import { CliArgs, CliStdin } from './contract.ts'
import { WP } from './run-cli.ts'

export const wpCli = defineCommandJob({
  type: 'wp.cli',
  label: 'Run a WP-CLI command',
  description: 'Runs WP-CLI in the container of a site. Its output is in the log of the job.',
  input: z.strictObject({
    ...siteInput,
    timeoutMin: z.number(),
    args: onlyFor('manage', CliArgs),
    stdin: onlyFor('manage', CliStdin),
  }),
  program: ({ args, stdin }) => ({ argv: [...WP, ...(args ?? [])], ...(stdin !== null && { stdin }) }),
})
