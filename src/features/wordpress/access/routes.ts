import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { addressOf, listHostnames, type SiteRow, siteToChange } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import { NoScriptAnswer, runScript, type Script } from '../run-script.ts'
import { runningSite } from '../running-site.ts'
import type { accessEndpoints } from './contract.ts'

const LINK_SECONDS = 120
const TOKEN_BYTES = 32
const PASSWORD_BYTES = 18

const line = z.string().transform(text => cleanLine(text.replace(/\s+/g, ' '), 500))
const Found = z.object({ user: line.nullable() })
const Maintenance = z.object({ enabled: z.boolean() })
const Mail = z.object({ accepted: z.boolean(), detail: line })

/** Has WordPress do something; one that does not start cannot. */
const ask = async <S extends z.ZodType>(
  scope: RequestScope,
  site: SiteRow,
  script: Script,
  asked: { answer: S; question?: Record<string, unknown> },
) => {
  try {
    return await runScript(scope, site, script, asked)
  } catch (error) {
    if (!(error instanceof NoScriptAnswer)) throw error
    throw new Problem('conflict', `WordPress on ${site.slug} doesn't start. Fix the plugin or theme that stops it.`)
  }
}

const noUser = (slug: string, user: string | undefined) =>
  new Problem('not_found', user === undefined ? `${slug} has no administrator.` : `${slug} has no user ${user}.`)

export const accessRoutes: Handlers<typeof accessEndpoints> = {
  async wpLoginLink({ params, body }, scope) {
    const site = await runningSite(params.slug, scope)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const hash = createHash('sha256').update(token).digest('hex')
    const question = { user: body.user ?? '', hash }
    const { user } = await ask(scope, site, 'sign-in-link', { answer: Found, question })
    if (user === null) throw noUser(site.slug, body.user)
    const [hostname = ''] = (await listHostnames(scope.db, [site.slug])).get(site.slug) ?? []
    const url = `${addressOf(hostname)}/wp-login.php?fleetpress-sign-in=${token}`
    return { url, user, expiresInSeconds: LINK_SECONDS }
  },

  async wpResetPassword({ params, body }, scope) {
    const site = await siteToChange(scope, params.slug, ['running'])
    const newPassword = randomBytes(PASSWORD_BYTES).toString('base64url')
    const question = { user: body.user, password: newPassword }
    const { user } = await ask(scope, site, 'reset-password', { answer: Found, question })
    if (user === null) throw noUser(site.slug, body.user)
    return { user, newPassword }
  },

  async wpMaintenance({ params }, scope) {
    return ask(scope, await runningSite(params.slug, scope), 'maintenance', { answer: Maintenance })
  },

  async wpMaintenanceSet({ params, body }, scope) {
    const site = await runningSite(params.slug, scope)
    const { enabled } = await ask(scope, site, 'maintenance', { answer: Maintenance, question: body })
    if (enabled !== body.enabled)
      throw new Problem('conflict', `The file .maintenance of ${site.slug} can't be changed. Check its permissions.`)
    return { enabled }
  },

  async wpTestMail({ params, body }, scope) {
    const site = await runningSite(params.slug, scope)
    const since = scope.now()
    const answer = await ask(scope, site, 'test-mail', { answer: Mail, question: body })
    if (answer.accepted) return answer
    // WordPress itself only says that it did not work.
    const [refusal = answer.detail] = (await scope.events.raise(scope, 'mailRefusal', { site, since })).filter(Boolean)
    return { accepted: false, detail: refusal }
  },
}
