import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from './api.ts'
import type { Dropped } from './dropped-files.ts'
import { FileDialog } from './FileDialog.tsx'
import classes from './Files.module.css'
import { fileAddress, joined } from './paths.ts'
import { folderKey } from './use-files.ts'

interface NewButtonsProps {
  slug: string
  folder: string
  onChosen: (files: readonly Dropped[]) => void
}

/** Everything that adds to a folder. */
export const NewButtons = ({ slug, folder, onChosen }: NewButtonsProps) => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<'folder' | 'file'>()
  const params = { slug }
  const close = () => setAsked(undefined)
  const makeFolder = async (name: string) => {
    await api.fileMkdir({ params, body: { path: joined(folder, name) } })
    await queryClient.invalidateQueries({ queryKey: folderKey(slug) })
  }
  const makeFile = async (name: string) => {
    const path = joined(folder, name)
    await api.fileWrite({ params, query: { path }, upload: new Blob([]), ifNoneMatch: '*' })
    await navigate(fileAddress(path))
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsked('folder')}>
        New folder
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsked('file')}>
        New file
      </Button>
      <Button size="xs" onClick={() => input.current?.click()}>
        Upload
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        aria-label="Files to upload"
        className={classes.hidden}
        onChange={event => {
          onChosen([...(event.currentTarget.files ?? [])].map(file => ({ path: file.name, file })))
          event.currentTarget.value = ''
        }}
      />
      {asked === 'folder' && (
        <FileDialog title="New folder" label="Name" value="" verb="Create folder" act={makeFolder} onClose={close} />
      )}
      {asked === 'file' && (
        <FileDialog title="New file" label="Name" value="" verb="Create file" act={makeFile} onClose={close} />
      )}
    </>
  )
}
