import { identify, isAlive, type ProcessIdentity } from '#platform/host/process-identity.ts'
import { stopProcess } from './process.ts'
import { findRecord, type PanelRecord, removeRecord } from './record.ts'
import { findUnitPid, stopUnit } from './systemd.ts'

/** The panel of one data folder while it runs. */
export interface Running {
  by: 'systemd' | 'process'
  identity: ProcessIdentity
  /** Missing when systemd started it and no one ran `up` since the data folder was moved. */
  record: PanelRecord | undefined
}

export const findRunning = (dataDir: string): Running | undefined => {
  const record = findRecord(dataDir)
  const unitPid = findUnitPid(dataDir)
  const unit = unitPid === undefined ? undefined : identify(unitPid)
  // systemd may have restarted it since, so the pid of the record says nothing here.
  if (unit) return { by: 'systemd', identity: unit, record }
  return record && isAlive(record) ? { by: 'process', identity: record, record } : undefined
}

const GRACE_MS = 30_000

export const stopRunning = async (dataDir: string, running: Running): Promise<'stopped' | 'killed'> => {
  if (running.by === 'systemd') stopUnit()
  const end = running.by === 'systemd' ? 'stopped' : await stopProcess(running.identity, GRACE_MS)
  removeRecord(dataDir)
  return end
}
