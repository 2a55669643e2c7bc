import { z } from 'zod'
import { defineSiteJob, siteInput } from '#features/sites/index.ts'
import type { JobType } from '#platform/jobs/job-type.ts'
import { backUpFirst } from './back-up-first.ts'
import { changeItems, finishTask, planItems, requireDone, tellInstalled, undoItems } from './change-items.ts'
import { TaskOps, TaskReport } from './contract.ts'
import type { TaskContext, TaskInput, TaskState } from './task.ts'

const HOUR_MS = 3_600_000

type About = Pick<JobType, 'type' | 'label' | 'description'>

const input = z.strictObject({ ...siteInput, ops: TaskOps, healthCheck: z.boolean(), backupFirst: z.boolean() })
const planning = { id: 'plan', label: 'Reading the site', run: planItems }
const backingUp = { id: 'back-up', label: 'Backing up the site', run: backUpFirst }

const finish = async (context: TaskContext): Promise<void> => {
  await finishTask(context)
  await tellInstalled(context)
}

const job = (
  about: About,
  change: Parameters<typeof defineSiteJob<TaskInput, TaskState, TaskReport>>[0]['steps'][number],
) =>
  defineSiteJob<TaskInput, TaskState, TaskReport>({
    ...about,
    category: 'wordpress',
    timeoutMs: 2 * HOUR_MS,
    input,
    result: TaskReport,
    steps: [planning, backingUp, change, { id: 'finish', label: 'Reading the site again', final: true, run: finish }],
    finish: ({ report = [] }) => ({ items: report }),
  })

/** One thing: when it fails, or the job is canceled, the site is as before. */
export const defineTask = (about: About) =>
  job(about, {
    id: 'change',
    label: 'Changing the site',
    run: async context => {
      await changeItems(context, { keepsAside: true })
      await requireDone(context)
    },
    undo: undoItems,
  })

/** Many things: each is done or rolled back by itself, and no failure of one undoes another. */
export const defineBulkTask = (about: About) =>
  job(about, {
    id: 'change',
    label: 'Changing the site',
    final: true,
    run: context => changeItems(context, { keepsAside: false }),
  })
