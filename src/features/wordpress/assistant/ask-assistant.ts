import { Problem } from '#platform/contract/problem.ts'
import type { RequestScope } from '#platform/http/handlers.ts'
import { runCli } from '../console/run-cli.ts'
import { runningSite } from '../running-site.ts'
import { assistantSettings } from './settings.ts'

const NO_COMMAND = /is not a registered (?:wp |sub)?command/

/** What the site's assistant plugin prints as JSON for a command of its own. */
export const askAssistant = async (
  scope: RequestScope,
  slug: string,
  words: readonly string[],
): Promise<Record<string, unknown>> => {
  const site = await runningSite(slug, scope)
  const { command } = await scope.settings.read(assistantSettings)
  const { stdout, stderr } = await runCli(scope, site, [command, ...words, '--format=json'])
  const said = jsonIn(stdout)
  if (said) return said
  if (NO_COMMAND.test(stderr))
    throw new Problem('conflict', `${slug} has no commands of the assistant plugin. Install and activate it first.`)
  throw new Problem('bad_gateway', `The assistant plugin on ${slug} did not answer as expected.`, null, {
    output: stderr.slice(0, 2000),
  })
}

/** Other plugins may print something before it. */
const jsonIn = (stdout: string): Record<string, unknown> | undefined => {
  const begin = stdout.search(/^\{/m)
  try {
    const parsed: unknown = JSON.parse(begin === -1 ? '' : stdout.slice(begin))
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
