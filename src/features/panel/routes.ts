import type { z } from 'zod'
import { requireLevel } from '#platform/access/require-level.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { countActivity, listActivity } from './activity-store.ts'
import { showOverview, snoozeAttention, unsnoozeAttention } from './attention.ts'
import type { ApiKey, panel } from './contract.ts'
import { showHealth } from './health.ts'
import { type KeyRow, listKeys, renameKey, revokeKey } from './key-store.ts'
import { createKey, KNOWN_KEYS, originOf } from './keys.ts'
import { sendLetter } from './mail.ts'
import { activitySettings, mailSettings } from './settings.ts'
import { showActivity } from './show-activity.ts'
import { showSettings } from './show-settings.ts'

const noSuchKey = () => new Problem('not_found', "This API key doesn't exist or was revoked.")

const showKey = (row: KeyRow): z.input<typeof ApiKey> => ({
  id: row.id,
  name: row.name,
  access: row.access,
  tokenStart: row.token_start,
  createdAt: row.created_at,
  createdBy: row.created_by,
  createdByAdmin: row.created_by_admin,
  lastUsedAt: row.last_used_at,
  lastUsedFrom: row.last_used_from,
  expiresAt: row.expires_at,
})

export const panelRoutes: Handlers<typeof panel> = {
  async health(_, scope) {
    return showHealth(scope)
  },

  async overview(_, scope) {
    return showOverview(scope)
  },

  async attentionSnooze({ params, body }, scope) {
    return { until: await snoozeAttention(scope, params.id, body.hours) }
  },

  async attentionUnsnooze({ params }, scope) {
    await unsnoozeAttention(scope, params.id)
    return { ok: true }
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
      throw new Problem('conflict', 'No address for notifications is set. Set it in the settings first.')
    return sendLetter(scope, {
      to: notifyAddress,
      subject: 'Fleetpress test email',
      text: `This is a test email from the panel at ${scope.installation.publicUrl}.`,
    })
  },

  async keyList(_, scope) {
    return { items: (await listKeys(scope.db)).map(showKey) }
  },

  async keyCreate({ body }, scope) {
    requireLevel(scope.actor, body.access, 'creating a key with this access')
    const { row, token } = await createKey(scope.db, {
      ...body,
      ...(await originOf(scope, body.expiresAt ?? null)),
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
