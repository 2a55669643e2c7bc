import { z } from 'zod'
import { ask, getSite, runningFolder, type SiteRow } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import type { ftp } from './contract.ts'
import { changeLogin, deleteLogin, getLogin, insertLogin, listLogins, renewLogins } from './login-store.ts'
import { generatePassword, hashPassword } from './password.ts'
import { follow } from './service/follow.ts'
import { showChanged, showServerFtp, showSiteFtp } from './show-ftp.ts'

const MOST_LOGINS = 50

export const ftpRoutes: Handlers<typeof ftp> = {
  async siteFtp({ params }, scope) {
    return showSiteFtp(scope, params.slug)
  },

  async ftpUserCreate({ params: { slug }, body }, scope) {
    const site = await settledSite(scope, slug)
    refusePast(scope, body.expiresAt)
    if ((await listLogins(scope.db, [slug])).length >= MOST_LOGINS)
      throw new Problem('conflict', `${slug} already has ${MOST_LOGINS} logins. Delete one first.`)
    await requireFolder(scope, site, body.folder)
    const generated = body.password === undefined ? generatePassword() : null
    const now = scope.now()
    const row = {
      id: newId(now),
      site_slug: slug,
      username: body.username,
      password_hash: await hashPassword(body.password ?? generated ?? ''),
      folder: body.folder,
      expires_at: body.expiresAt ?? null,
      revision: 1,
      created_at: now,
      password_changed_at: now,
    }
    await insertLogin(scope.db, row)
    await follow(scope, site.server_id)
    return { user: showChanged(scope, row), password: generated }
  },

  async ftpUserUpdate({ params: { slug, id }, body: { folder, expiresAt } }, scope) {
    const [site, login] = await loginOf(scope, slug, id)
    refusePast(scope, expiresAt)
    if (folder !== undefined) await requireFolder(scope, site, folder)
    await scope.db.transaction().execute(async on => {
      await renewLogins(on, slug)
      await changeLogin(on, login, {
        ...(folder !== undefined && { folder }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      })
    })
    await follow(scope, site.server_id)
    return { user: showChanged(scope, await getLogin(scope.db, slug, id)) }
  },

  async ftpUserPassword({ params: { slug, id }, body }, scope) {
    const [site, login] = await loginOf(scope, slug, id)
    const generated = body.password === undefined ? generatePassword() : null
    const password_hash = await hashPassword(body.password ?? generated ?? '')
    await changeLogin(scope.db, login, { password_hash, password_changed_at: scope.now() })
    await follow(scope, site.server_id)
    return { user: showChanged(scope, await getLogin(scope.db, slug, id)), password: generated }
  },

  async ftpUserDelete({ params: { slug, id } }, scope) {
    const [site, login] = await loginOf(scope, slug, id)
    await deleteLogin(scope.db, login)
    await follow(scope, site.server_id)
    return { ok: true }
  },

  async serverFtp({ params }, scope) {
    return showServerFtp(scope, params.id)
  },
}

const loginOf = async ({ db }: Scope, slug: string, id: string) =>
  [await getSite(db, slug), await getLogin(db, slug, id)] as const

const settledSite = async ({ db }: Scope, slug: string): Promise<SiteRow> => {
  const site = await getSite(db, slug)
  if (site.status === 'creating' || site.status === 'deleting')
    throw new Problem('conflict', `${slug} is ${site.status}. Logins need a site that is running or stopped.`, {
      status: site.status,
    })
  return site
}

const refusePast = ({ now }: Scope, expiresAt: number | null | undefined): void => {
  if (typeof expiresAt !== 'number' || expiresAt > now()) return
  const message = 'must be in the future'
  throw new Problem('validation_error', `Expires at ${message}.`, [{ in: 'body', path: 'expiresAt', message }])
}

/** A login to a folder that isn't there could not be used. Of a stopped site nothing is opened. */
const requireFolder = async (scope: Scope, site: SiteRow, folder: string): Promise<void> => {
  if (folder === '' || site.status !== 'running') return
  await ask(runningFolder(scope, site), { op: 'list', path: folder, maxEntries: 1 }, z.unknown())
}
