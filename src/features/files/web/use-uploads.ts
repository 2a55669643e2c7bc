import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Problem } from '#platform/contract/problem.ts'
import { toProblem } from '#web/kit/problem.ts'
import { api } from './api.ts'
import { type Dropped, foldersOf } from './dropped-files.ts'
import { pace } from './pace.ts'
import { joined } from './paths.ts'
import { sendFile } from './send-file.ts'
import { folderKey } from './use-files.ts'

/** One file on its way. */
export interface Upload {
  readonly id: number
  readonly path: string
  readonly file: File
  readonly sentBytes: number
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'canceled'
  readonly problem?: string
  /** There is such a file already. */
  readonly isTaken?: boolean
}

/** Small files spend most of their time waiting for an answer. */
const AT_ONCE = 3
const REFRESH_MS = 3_000

let lastId = 0

/** A folder that is there already is as good as a new one. */
const ensureFolder = async (slug: string, path: string): Promise<void> => {
  await pace()
  await api.fileMkdir({ params: { slug }, body: { path } }).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'conflict')) throw error
  })
}

interface Sender {
  readonly slug: string
  readonly change: (id: number, part: Partial<Upload>) => void
  readonly signalOf: (id: number) => AbortSignal
}

const isTaken = (details: unknown): boolean => (details as { reason?: unknown } | null)?.reason === 'exists'

/** Sends one file, and keeps what becomes of it. */
const send = async ({ slug, change, signalOf }: Sender, { id, path, file }: Upload, overwrite: boolean) => {
  const signal = signalOf(id)
  if (signal.aborted) return
  change(id, { state: 'sending' })
  try {
    await sendFile({ slug, path, file, overwrite, signal, onSent: sentBytes => change(id, { sentBytes }) })
    change(id, { state: signal.aborted ? 'canceled' : 'done' })
  } catch (error) {
    const { details, message } = toProblem(error)
    change(id, { state: 'failed', problem: message, isTaken: isTaken(details) })
  }
}

/** Without its folder no file has a place. */
const failAll = (uploads: readonly Upload[], change: Sender['change']) => (error: unknown) => {
  const problem = toProblem(error).message
  for (const { id } of uploads) change(id, { state: 'failed', problem })
}

const newUpload = ({ path, file }: Dropped, folder: string): Upload => {
  lastId += 1
  return { id: lastId, path: joined(folder, path), file, sentBytes: 0, state: 'waiting' }
}

/** A few at a time, in their order. */
const eachOf = async <T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> => {
  const left = items.values()
  const work = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Shows what has arrived in the folder, but not after every file: each look is a request, too. */
const useRefresh = (slug: string) => {
  const queryClient = useQueryClient()
  const lastAt = useRef(0)
  return (isLast: boolean) => {
    if (!isLast && Date.now() - lastAt.current < REFRESH_MS) return
    lastAt.current = Date.now()
    void queryClient.invalidateQueries({ queryKey: folderKey(slug) })
  }
}

/** Sends files, folders first. */
export const useUploads = (slug: string) => {
  const refresh = useRefresh(slug)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const stops = useRef(new Map<number, AbortController>())
  const change = (id: number, part: Partial<Upload>) =>
    setUploads(before => before.map(upload => (upload.id === id ? { ...upload, ...part } : upload)))
  const stopOf = (id: number): AbortController => {
    const stop = stops.current.get(id) ?? new AbortController()
    stops.current.set(id, stop)
    return stop
  }
  const sender: Sender = { slug, change, signalOf: id => stopOf(id).signal }
  const enqueue = (folders: readonly string[], added: readonly Upload[], overwrite: boolean) => {
    const act = async () => {
      for (const folder of folders) await ensureFolder(slug, folder)
      await eachOf(added, upload => send(sender, upload, overwrite).then(() => refresh(false)))
    }
    queue.current = queue.current
      .then(act)
      .catch(failAll(added, change))
      .finally(() => refresh(true))
  }
  const start = (dropped: readonly Dropped[], folder: string) => {
    const added = dropped.map(one => newUpload(one, folder))
    setUploads(before => [...before, ...added])
    const folders = foldersOf(dropped).map(path => joined(folder, path))
    enqueue(folders, added, false)
  }
  const cancel = (id: number) => {
    stopOf(id).abort()
    change(id, { state: 'canceled' })
  }
  const replace = (upload: Upload) => {
    change(upload.id, { state: 'waiting', isTaken: false })
    enqueue(foldersOf([upload]), [upload], upload.isTaken === true)
  }
  const clear = () => setUploads(before => before.filter(({ state }) => state === 'waiting' || state === 'sending'))
  return { uploads, start, cancel, replace, clear }
}
