import type { z } from 'zod'
import { describeActor } from '#platform/access/actor.ts'
import { requireLevel } from '#platform/access/require-level.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { type ActivityRow, countActivity, listActivity } from './activity-store.ts'
import type { Activity, ApiKey, panel } from './contract.ts'
import { type KeyRow, listKeys, renameKey, revokeKey } from './key-store.ts'
import { createKey, KNOWN_KEYS } from './keys.ts'
import { sendLetter } from './mail.ts'
import { activitySettings, mailSettings } from './settings.ts'
import { showSettings } from './show-settings.ts'

const SEVERITY = ['critical', 'warning', 'info']
const noSuchKey = () =>
  new Problem('not_found', 'There is no such API key, or it was revoked. The list of keys has those in use.')

const showKey = (row: KeyRow): z.input<typeof ApiKey> => ({
  id: row.id,
  name: row.name,
  access: row.access,
  tokenStart: row.token_start,
  createdAt: row.created_at,
  createdBy: row.created_by,
  lastUsedAt: row.last_used_at,
  lastUsedFrom: row.last_used_from,
})

const showActivity = (row: ActivityRow): z.input<typeof Activity> => ({
  id: row.id,
  at: row.at,
  keyId: row.key_id,
  keyName: row.key_name,
  endpoint: row.endpoint,
  method: row.method,
  path: row.path,
  status: row.status,
  address: row.address,
  durationMs: row.duration_ms,
  requestId: row.request_id,
  jobId: row.job_id,
})

export const panelRoutes: Handlers<typeof panel> = {
  async health(_, scope) {
    return { ok: true, version: scope.place.version }
  },

  async overview(_, scope) {
    const parts = await scope.events.raise(scope, 'overview', {})
    const attention = parts.flatMap(part => part.attention)
    return {
      counts: Object.assign({}, ...parts.map(part => part.counts)) as Record<string, number>,
      attention: attention.toSorted((a, b) => SEVERITY.indexOf(a.severity) - SEVERITY.indexOf(b.severity)),
    }
  },

  async settingsGet(_, scope) {
    return showSettings(scope)
  },

  async settingsUpdate({ body }, scope) {
    await scope.settings.change(body)
    const started = await scope.events.raise(scope, 'settingsChanged', { sections: Object.keys(body) })
    return { ...(await showSettings(scope)), jobs: started.flat() }
  },

  async settingsTestEmail(_, scope) {
    const { notifyAddress } = await scope.settings.read(mailSettings)
    if (notifyAddress === '')
      throw new Problem('conflict', 'No address is set. Set mail.notifyAddress in the settings first.')
    return sendLetter(scope, {
      to: notifyAddress,
      subject: 'Fleetpress test',
      text: `This is the test e-mail of the panel at ${scope.place.publicUrl}.`,
    })
  },

  async keyList(_, scope) {
    return { items: (await listKeys(scope.db)).map(showKey) }
  },

  async keyCreate({ body }, scope) {
    requireLevel(scope.actor, body.access, 'creating a key with this access')
    const { row, token } = await createKey(scope.db, {
      ...body,
      createdBy: describeActor(scope.actor),
      now: scope.now(),
    })
    return { key: showKey(row), token }
  },

  async keyUpdate({ params, body }, scope) {
    const row = await renameKey(scope.db, params.id, body.name)
    scope.memo(KNOWN_KEYS).clear()
    if (!row) throw noSuchKey()
    return { key: showKey(row) }
  },

  async keyRevoke({ params }, scope) {
    const revoked = await revokeKey(scope.db, params.id, scope.now())
    scope.memo(KNOWN_KEYS).clear()
    if (!revoked) throw noSuchKey()
    return { ok: true }
  },

  async keyActivity({ query }, scope) {
    const { keepRequestsForDays } = await scope.settings.read(activitySettings)
    const [rows, total] = [await listActivity(scope.db, query), await countActivity(scope.db, query)]
    return { items: rows.map(showActivity), total, retentionDays: keepRequestsForDays }
  },
}
