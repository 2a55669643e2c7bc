import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'
import { Job, JobAccepted } from '#platform/contract/job.ts'

const params = z.object({ slug: SiteSlug })
const KIB = 1024

const NO_ZERO_BYTE = /^[^\0]*$/

/** Any text but what no program can be told. */
const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(NO_ZERO_BYTE, 'must not hold a zero byte')
    .refine(value => value.isWellFormed(), 'must be valid text')

export const TimeoutMin = wholeNumber(1, 60).prefault(10).describe('of a job, in minutes')
export const CliArgs = z
  .array(text(4 * KIB))
  .min(1)
  .max(100)
  .refine(words => words.join('').length <= 16 * KIB, 'must be at most 16 KiB together')
export const CliStdin = text(64 * KIB)
export const ShellCommand = text(8 * KIB).min(1)

const CommandWords = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9_-]*(?: [a-z0-9][a-z0-9_-]*)*$/i, 'must be words such as plugin list')

export const consoleEndpoints = contract({
  wpCli: {
    method: 'POST',
    path: '/api/sites/:slug/wp/cli',
    level: 'manage',
    summary: 'Run WP-CLI on a site: wait up to 55 seconds for its output, or run it as a job with async',
    job: 'sometimes',
    destructive: true,
    params,
    maxBodyBytes: 2048 * KIB,
    body: z.strictObject({
      args: CliArgs.describe('the words after wp'),
      stdin: CliStdin.optional().describe('for a value of - or a prompt; never kept in logs'),
      async: z.boolean().prefault(false).describe('true: return a job at once'),
      timeoutMin: TimeoutMin,
    }),
    reply: z.object({
      job: Job.nullable(),
      stdout: z.string().nullable(),
      stderr: z.string().nullable(),
      exitCode: z.number().nullable(),
    }),
  },
  wpCliHelp: {
    method: 'GET',
    path: '/api/sites/:slug/wp/cli/help',
    level: 'read-only',
    summary: 'Help for a command of WP-CLI on a site; without one, every command',
    params,
    query: z.object({ command: CommandWords.optional().describe('its words, such as plugin install') }),
    reply: z.object({ command: z.string(), help: z.string() }),
  },
  siteShell: {
    method: 'POST',
    path: '/api/sites/:slug/shell',
    level: 'manage',
    summary: 'Run a shell command in the container of a site, in the folder of WordPress',
    job: true,
    destructive: true,
    params,
    body: z.strictObject({ command: ShellCommand.describe('what the shell runs'), timeoutMin: TimeoutMin }),
    reply: JobAccepted,
  },
})
