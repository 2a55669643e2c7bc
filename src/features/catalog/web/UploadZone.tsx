import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Problem } from '#platform/contract/problem.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { FormError } from '#web/kit/FormError.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import classes from './UploadZone.module.css'

/** Names the file, because several may be sent at once. */
const refusalOf = (file: File, error: unknown): Problem => {
  const { code, message, details } = toProblem(error)
  return new Problem(code, `${file.name}: ${message}`, details)
}

/** One zip after the other; the first that is refused ends it. */
const useUpload = () => {
  const follow = useFollowJob()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        const { plugin } = await follow(api.pluginUpload({ body: {}, upload: file })).catch((error: unknown) => {
          throw refusalOf(file, error)
        })
        showToast({ tone: 'good', text: `${plugin.name} uploaded. It is being checked.` })
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['plugins'] }),
  })
}

/** Files that are dropped on an element; whether some are above it now. */
const useDrop = (zone: RefObject<HTMLElement | null>, onFiles: (files: FileList | null) => void): boolean => {
  const [isOver, setIsOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const listening = new AbortController()
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      zone.current?.addEventListener(type, act, { signal: listening.signal })
    const hover = (over: boolean) => (event: DragEvent) => {
      event.preventDefault()
      setIsOver(over)
    }
    listen('dragover', hover(true))
    listen('dragleave', hover(false))
    listen('drop', event => {
      hover(false)(event)
      take(event.dataTransfer?.files ?? null)
    })
    return () => listening.abort()
  }, [zone])
  return isOver
}

/** Takes zips that are dropped on it, or selected. */
export const UploadZone = () => {
  const upload = useUpload()
  const zone = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const send = (files: FileList | null) => {
    if (files && files.length > 0 && !upload.isPending) upload.mutate([...files])
  }
  const isOver = useDrop(zone, send)
  return (
    <>
      <section ref={zone} aria-label="Upload plugins" className={classes.zone} data-over={isOver || undefined}>
        <p className={classes.words}>
          Drop the zip of a plugin here, up to 100 MB. A newer version is added to its plugin.
        </p>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconUpload size={14} />}
          loading={upload.isPending}
          onClick={() => input.current?.click()}
        >
          Upload zip
        </Button>
        <input
          ref={input}
          type="file"
          accept=".zip"
          multiple
          className={classes.file}
          aria-label="Zip of a plugin"
          tabIndex={-1}
          onChange={event => {
            send(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
      </section>
      {upload.error && <FormError key={upload.failureCount} problem={toProblem(upload.error)} />}
    </>
  )
}
