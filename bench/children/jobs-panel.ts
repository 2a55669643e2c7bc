/** A panel with many finished jobs, as its own process, so that the load has a core to itself. */
import pino from 'pino'
import { buildPanel } from '#app/panel.ts'
import { createKey } from '#features/panel/index.ts'
import { readConfig } from '#platform/config/config.ts'
import { newId } from '#platform/db/id.ts'
import { insertRows } from '#platform/db/whole.ts'

const ROWS = 100_000
const PER_INSERT = 500
/** The limit of 300 a minute stays in place; its minute passes in a blink. */
const FASTER = 20_000

const begin = Date.now()
const panel = await buildPanel(readConfig(process.env), {
  log: pino({ level: 'error' }),
  now: () => begin + Math.round(performance.now() * FASTER),
})
const { database } = panel.foundation
const statuses = ['succeeded', 'succeeded', 'succeeded', 'failed', 'canceled']
const row = (index: number) => ({
  id: newId(),
  type: 'wp.bulkTask',
  label: 'Update plugins',
  category: 'wordpress',
  status: statuses[index % statuses.length],
  origin: index % 2 ? 'api' : 'schedule',
  site_slug: `site-${index % 500}`,
  server_id: 1 + (index % 20),
  schedule_id: null,
  batch_id: null,
  site_lock: null,
  once_key: null,
  lanes: JSON.stringify([`server:${1 + (index % 20)}`]),
  started_by: 'key deploy',
  input: '{}',
  state: '{}',
  result: null,
  steps: '[]',
  steps_done: 4,
  steps_total: 4,
  step: null,
  progress: null,
  undoing: 0,
  cancel_requested_at: null,
  error_code: index % 5 === 3 ? 'command_failed' : null,
  error_message: index % 5 === 3 ? 'The site did not answer after the update.' : null,
  worker: null,
  lease_until: null,
  attempt: 1,
  deadline_at: null,
  created_at: begin - index * 1000,
  started_at: begin - index * 1000 + 10,
  finished_at: begin - index * 1000 + 900,
})
await database.db.transaction().execute(async trx => {
  for (let at = 0; at < ROWS; at += PER_INSERT) {
    const rows = Array.from({ length: PER_INSERT }, (_, index) => row(at + index))
    await insertRows(trx, 'job', rows)
  }
})
const { token } = await createKey(database.db, { name: 'bench', access: 'full', createdBy: 'bench', now: begin })
await panel.listen()
process.stdout.write(`${token}\n`)
