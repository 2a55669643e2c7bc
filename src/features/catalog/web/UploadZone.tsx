import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { FormError } from '#web/kit/FormError.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import classes from './UploadZone.module.css'

/** One zip after the other; the first that is refused ends it. */
const useUpload = () => {
  const follow = useFollowJob()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        const { plugin } = await follow(api.pluginUpload({ body: {}, upload: file }))
        showToast({ tone: 'good', text: `${plugin.name} uploaded. It is being checked.` })
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['plugins'] }),
  })
}

/** Takes zips that are dropped on it, or selected. */
export const UploadZone = () => {
  const upload = useUpload()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const send = (files: FileList | null) => {
    if (files && files.length > 0 && !upload.isPending) upload.mutate([...files])
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    send(event.dataTransfer.files)
  }
  return (
    <>
      <section
        aria-label="Upload plugins"
        className={classes.zone}
        data-over={isOver || undefined}
        onDragOver={event => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
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
