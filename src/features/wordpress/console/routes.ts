import type { Handlers } from '#platform/http/handlers.ts'
import { runningSite } from '../running-site.ts'
import { readHelp } from './cli-help.ts'
import type { consoleEndpoints } from './contract.ts'
import { runCli } from './run-cli.ts'
import { siteShell } from './site.shell.ts'
import { wpCli } from './wp.cli.ts'

export const consoleRoutes: Handlers<typeof consoleEndpoints> = {
  async wpCli({ params, body }, scope) {
    const site = await runningSite(params.slug, scope)
    const { args, stdin, timeoutMin } = body
    if (!body.async) return { job: null, ...(await runCli(scope, site, args, stdin)) }
    const input = { slug: site.slug, serverId: site.server_id, args, stdin: stdin ?? null, timeoutMin }
    return { job: await scope.jobs.enqueue(wpCli, input), stdout: null, stderr: null, exitCode: null }
  },

  async wpCliHelp({ params, query }, scope) {
    return readHelp(scope, await runningSite(params.slug, scope), query.command)
  },

  async siteShell({ params, body }, scope) {
    const { slug, server_id } = await runningSite(params.slug, scope)
    return { job: await scope.jobs.enqueue(siteShell, { slug, serverId: server_id, ...body }) }
  },
}
