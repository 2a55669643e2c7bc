import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Problem } from '#platform/contract/problem.ts'
import { toProblem } from '#web/kit/problem.ts'
import { api } from './api.ts'
import { type Dropped, foldersOf } from './dropped-files.ts'
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

let lastId = 0

/** A folder that is there already is as good as a new one. */
const ensureFolder = (slug: string, path: string) =>
  api.fileMkdir({ params: { slug }, body: { path } }).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'conflict')) throw error
  })

/** Sends files one after the other, and keeps what became of each. */
export const useUploads = (slug: string) => {
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const stops = useRef(new Map<number, AbortController>())
  const change = (id: number, part: Partial<Upload>) =>
    setUploads(before => before.map(upload => (upload.id === id ? { ...upload, ...part } : upload)))
  const refresh = () => queryClient.invalidateQueries({ queryKey: folderKey(slug) })

  const send = async ({ id, path, file }: Upload, overwrite: boolean) => {
    const stop = stops.current.get(id) ?? new AbortController()
    stops.current.set(id, stop)
    if (stop.signal.aborted) return
    change(id, { state: 'sending' })
    try {
      const onSent = (sentBytes: number) => change(id, { sentBytes })
      await sendFile({ slug, path, file, overwrite, signal: stop.signal, onSent })
      change(id, { state: stop.signal.aborted ? 'canceled' : 'done' })
    } catch (error) {
      const { code, message } = toProblem(error)
      change(id, { state: 'failed', problem: message, isTaken: code === 'conflict' })
    }
    await refresh()
  }
  const enqueue = (work: () => Promise<unknown>) => {
    queue.current = queue.current.then(work, work)
  }
  const start = (dropped: readonly Dropped[], folder: string) => {
    const added = dropped.map(({ path, file }): Upload => {
      lastId += 1
      return { id: lastId, path: joined(folder, path), file, sentBytes: 0, state: 'waiting' }
    })
    setUploads(before => [...before, ...added])
    enqueue(async () => {
      for (const path of foldersOf(dropped)) await ensureFolder(slug, joined(folder, path)).catch(() => {})
    })
    for (const upload of added) enqueue(() => send(upload, false))
  }
  const cancel = (id: number) => {
    const stop = stops.current.get(id) ?? new AbortController()
    stops.current.set(id, stop)
    stop.abort()
    change(id, { state: 'canceled' })
  }
  const replace = (upload: Upload) => {
    change(upload.id, { state: 'waiting', isTaken: false })
    enqueue(() => send(upload, true))
  }
  const clear = () => setUploads(before => before.filter(({ state }) => state === 'waiting' || state === 'sending'))
  return { uploads, start, cancel, replace, clear }
}
