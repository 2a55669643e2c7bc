import { z } from 'zod'
import { siteInput } from '#features/sites/index.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { defineCommandJob } from './command-job.ts'
import { ShellCommand } from './contract.ts'

export const siteShell = defineCommandJob({
  type: 'site.shell',
  label: 'Run a shell command',
  description: 'Runs a shell command in the container of a site, in the folder of WordPress.',
  input: z.strictObject({ ...siteInput, timeoutMin: z.number(), command: onlyFor('manage', ShellCommand) }),
  program: ({ command }) => ({ argv: ['bash', '-c', command ?? ''] }),
})
