import { z } from 'zod'
import type { SiteRow } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type CliWork, runCli } from './run-cli.ts'

interface Dumped {
  name: string
  description: string
  subcommands?: Dumped[] | undefined
}
const Dumped: z.ZodType<Dumped> = z.lazy(() =>
  z.object({ name: z.string(), description: z.string(), subcommands: z.array(Dumped).optional() }),
)

/** What every command takes is the same everywhere, and half of every page. */
const withoutGlobals = (help: string): string => help.replace(/\n*GLOBAL PARAMETERS\n[\s\S]*$/, '\n')

const linesOf = ({ name, description, subcommands = [] }: Dumped, parents: readonly string[]): string[] => {
  const words = [...parents, name]
  return subcommands.length > 0
    ? subcommands.flatMap(command => linesOf(command, words))
    : [`${words.join(' ')}  ${description}`]
}

/** Help for one command that the site has, or every command in its own line. */
export const readHelp = async (work: CliWork, site: SiteRow, command: string | undefined) => {
  if (command === undefined) {
    const { stdout } = await runCli(work, site, ['cli', 'cmd-dump'])
    const dumped = Dumped.safeParse(jsonOf(stdout))
    if (!dumped.success)
      throw new Problem('conflict', `WP-CLI doesn't start on ${site.slug}. Check the plugins of the site.`)
    const lines = (dumped.data.subcommands ?? []).flatMap(each => linesOf(each, []))
    return { command: '', help: lines.join('\n') }
  }
  const { exitCode, stdout, stderr } = await runCli(work, site, ['help', ...command.split(' ')])
  if (exitCode === 0) return { command, help: withoutGlobals(stdout) }
  if (/is not a registered/.test(stderr)) throw new Problem('not_found', `${site.slug} has no command wp ${command}.`)
  throw new Problem('conflict', `WP-CLI doesn't start on ${site.slug}. Check the plugins of the site.`)
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
