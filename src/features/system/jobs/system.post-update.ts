import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { listServers } from '#features/servers/index.ts'
import { listSites, reconcileSite } from '#features/sites/index.ts'
import { provisionServer } from '#features/stack/index.ts'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { defineJob, type StepContext } from '#platform/jobs/job-type.ts'
import { sharedQueue } from '#platform/jobs/lane.ts'
import { PostUpdateResult } from '../contract.ts'

const AT_A_TIME = 3
const LOOK_EVERY_MS = 500

type Behind = PostUpdateResult['behind'][number]

interface State {
  /** By name: null when it is up to date, else why it is not. */
  servers: Record<string, string | null>
  sites: Record<string, string | null>
}

type Context = StepContext<Record<string, never>, State>

/** Null once the job has succeeded; else why it has not. */
const outcomeOf = async ({ db, signal }: Context, id: string): Promise<string | null> => {
  for (;;) {
    const row = await findJob(db, id)
    if (!row) return 'Its job was deleted.'
    if (row.status === 'succeeded') return null
    if (TERMINAL.includes(row.status)) return row.error_message ?? 'Its job was canceled.'
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}

const BUSY = 'It is busy with another job. Run this again later.'

const startOf = async (start: () => Promise<Job | undefined>): Promise<Job | string> => {
  try {
    return (await start()) ?? BUSY
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** A few at a time; each fate is kept, so that none is done twice after a restart. */
const bringAll = async (
  context: Context,
  fates: Record<string, string | null>,
  all: readonly { name: string; start: () => Promise<Job | undefined> }[],
): Promise<void> => {
  const waiting = all.filter(({ name }) => !(name in fates))
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const started = await startOf(next.start)
      const fate = typeof started === 'string' ? started : await outcomeOf(context, started.id)
      fates[next.name] = fate
      await context.save()
      context.say(fate === null ? `${next.name} is up to date.` : `${next.name} is still behind: ${fate}`)
      context.progress({ done: Object.keys(fates).length, total: all.length, unit: 'items' })
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
}

const behindIn = (fates: Record<string, string | null> | undefined): Behind[] =>
  Object.entries(fates ?? {}).flatMap(([name, reason]) => (reason === null ? [] : [{ name, reason }]))

const doneIn = (fates: Record<string, string | null> | undefined): number =>
  Object.values(fates ?? {}).filter(reason => reason === null).length

export const systemPostUpdate = defineJob<Record<string, never>, State, PostUpdateResult>({
  type: 'system.postUpdate',
  label: 'Update servers and sites',
  description:
    'After an update of the panel: brings the stack of every server and every site to what the new version expects.',
  category: 'system',
  timeoutMs: 6 * 60 * 60_000,
  input: z.strictObject({}),
  result: PostUpdateResult,
  target: () => ({}),
  lanes: () => [sharedQueue],
  steps: [
    {
      id: 'update-servers',
      label: 'Updating servers',
      async run(context) {
        const { db, state, say } = context
        const expected = await context.events.ask(context, 'stackVersion', {})
        const ready = (await listServers(db)).filter(({ status }) => status === 'ready')
        const outdated = ready.filter(row => row.stack_version !== expected)
        if (outdated.length === 0) say('Every server is up to date.')
        state.servers ??= {}
        await bringAll(
          context,
          state.servers,
          outdated.map(({ id, name }) => ({ name, start: () => provisionServer(context, { serverId: id }) })),
        )
      },
    },
    {
      id: 'update-sites',
      label: 'Updating sites',
      async run(context) {
        const { db, state, say } = context
        const running = (await listSites(db, {})).filter(({ status }) => status === 'running')
        if (running.length === 0) say('No site is running.')
        state.sites ??= {}
        await bringAll(
          context,
          state.sites,
          running.map(site => ({ name: site.slug, start: () => reconcileSite(context, site) })),
        )
      },
    },
  ],
  finish: ({ servers, sites }) => ({
    servers: doneIn(servers),
    sites: doneIn(sites),
    behind: [...behindIn(servers), ...behindIn(sites)],
  }),
})
