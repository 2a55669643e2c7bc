import { Problem } from '#platform/contract/problem.ts'
import type { Health } from '#platform/health/health.ts'
import type { Scope } from '#platform/scope.ts'
import type { Attention } from './contract.ts'
import { findNewestSnapshot } from './snapshot.ts'

const MIB = 1024 ** 2
/** A night's snapshot and a day of logs fit into this in all but the largest fleets. */
const LOW_BYTES = 500 * MIB

/** The answer of `GET /api/health`, or the 503 that says what is wrong. */
export const showHealth = async (scope: Pick<Scope, 'health' | 'installation'>) => {
  const { problem, databaseWritable, jobsRunning, diskFreeBytes } = await scope.health()
  const { version, dataDir } = scope.installation
  if (problem !== null) throw new Problem('unavailable', problem, { version, databaseWritable, jobsRunning })
  const lastSnapshotAt = (await findNewestSnapshot(dataDir))?.takenAt ?? null
  return { ok: true as const, version, databaseWritable, jobsRunning, diskFreeBytes, lastSnapshotAt }
}

/** What Home says first: whatever else is wrong, without this nothing can be changed. */
export const attentionOf = ({ problem, databaseWritable, diskFreeBytes }: Health): Attention[] => {
  if (problem !== null)
    return [
      {
        id: 'panel-health',
        severity: 'critical',
        title: databaseWritable ? "The panel can't start jobs" : "The panel can't save changes",
        detail: `${problem} Sites stay online.`,
        action: null,
      },
    ]
  if (diskFreeBytes === null || diskFreeBytes >= LOW_BYTES) return []
  return [
    {
      id: 'panel-disk',
      severity: 'critical',
      title: "The panel's disk is almost full",
      detail: `${Math.floor(diskFreeBytes / MIB)} MiB free for the data folder. When it is full, nothing can be saved.`,
      action: null,
    },
  ]
}
