import { Button, Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Confirm } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { refused } from '#web/kit/refused.ts'
import { SelectionBar } from '#web/kit/SelectionBar.tsx'
import type { FileEntry } from '../contract.ts'
import { api } from './api.ts'
import { fileActions } from './can.ts'
import { FileDialog } from './FileDialog.tsx'
import { downloadAddress, joined } from './paths.ts'
import { folderKey } from './use-files.ts'

interface SelectedFilesProps {
  site: Site
  folder: string
  entries: readonly FileEntry[]
  onDone: () => void
}

type Act = 'rename' | 'copy' | 'mode' | 'compress' | 'extract' | 'delete'

const MOST = 200

/** Acts on what is selected in a folder. */
export const SelectedFiles = ({ site, folder, entries, onDone }: SelectedFilesProps) => {
  const can = useCan(fileActions)
  const [act, setAct] = useState<Act>()
  const [first] = entries
  if (!first) return null
  const only = entries.length === 1 ? first : undefined
  const packing = can('fileCompress', site).reason
  const tooMany = entries.length > MOST ? `Select at most ${MOST} at a time.` : undefined
  const button = (name: Act, label: string, reason?: string) => (
    <Button size="xs" variant="default" {...refused(reason)} onClick={() => reason === undefined && setAct(name)}>
      {label}
    </Button>
  )
  return (
    <SelectionBar label="Selected files" count={only ? only.name : `${entries.length} selected`} onClear={onDone}>
      {only && ['file', 'folder'].includes(only.kind) && (
        <Button
          component="a"
          size="xs"
          variant="default"
          href={downloadAddress(site.slug, joined(folder, only.name))}
          download
        >
          Download
        </Button>
      )}
      {only && button('rename', 'Rename or move')}
      {only && button('copy', 'Copy')}
      {only && only.kind !== 'link' && button('mode', 'Permissions')}
      {only?.name.endsWith('.zip') && button('extract', 'Extract', packing)}
      {button('compress', 'Compress', packing ?? tooMany)}
      <Button size="xs" variant="light" color="red" {...refused(tooMany)} onClick={() => !tooMany && setAct('delete')}>
        Delete
      </Button>
      {act && <Asked {...{ act, site, folder, entries, first, onDone }} onClose={() => setAct(undefined)} />}
    </SelectionBar>
  )
}

interface AskedProps extends SelectedFilesProps {
  act: Act
  first: FileEntry
  onClose: () => void
}

/** The question that belongs to an act. */
const Asked = ({ act, site: { slug }, folder, entries, first, onDone, onClose }: AskedProps) => {
  const queryClient = useQueryClient()
  const follow = useFollowJob()
  const [overwrite, setOverwrite] = useState(false)
  const params = { slug }
  const path = joined(folder, first.name)
  const paths = entries.map(({ name }) => joined(folder, name))
  const done = async (work: Promise<unknown>) => {
    await work
    onDone()
    await queryClient.invalidateQueries({ queryKey: folderKey(slug) })
  }
  const common = { onClose, value: path }
  const replacing = (
    <Checkbox
      mt="sm"
      label="Replace files that are there already"
      checked={overwrite}
      onChange={event => setOverwrite(event.currentTarget.checked)}
    />
  )
  const about = "A path in the site's folder, such as wp-content/uploads/photo.jpg."
  if (act === 'delete')
    return (
      <Confirm
        title={`Delete ${entries.length === 1 ? first.name : counted(entries.length, 'item')}?`}
        verb="Delete"
        effects={["Folders are deleted with everything in them. This can't be undone without a backup."]}
        act={() => done(api.fileDelete({ params, body: { paths } }))}
        onClose={onClose}
      />
    )
  if (act === 'rename') {
    const move = (to: string) => done(api.fileMove({ params, body: { from: path, to, overwrite } }))
    return (
      <FileDialog
        {...common}
        {...{ about }}
        title={`Rename or move ${first.name}`}
        label="New path"
        verb="Move"
        act={move}
      >
        {replacing}
      </FileDialog>
    )
  }
  if (act === 'copy') {
    const copy = (to: string) => done(api.fileCopy({ params, body: { from: path, to } }))
    return (
      <FileDialog
        {...common}
        {...{ about }}
        title={`Copy ${first.name}`}
        label="Path of the copy"
        verb="Copy"
        act={copy}
      />
    )
  }
  if (act === 'mode') {
    const chmod = (mode: string) => done(api.fileChmod({ params, body: { path, mode } }))
    const usual = 'Usually 0644 for files and 0755 for folders.'
    return (
      <FileDialog
        onClose={onClose}
        value={first.mode}
        title={`Permissions of ${first.name}`}
        label="Mode"
        about={usual}
        verb="Change"
        act={chmod}
      />
    )
  }
  if (act === 'extract') {
    const extract = (to: string) =>
      done(follow(api.fileExtract({ params, body: { path, to: to === '.' ? '' : to, overwrite } })))
    const where = 'An existing folder. A dot stands for the site folder.'
    return (
      <FileDialog
        onClose={onClose}
        value={folder || '.'}
        title={`Extract ${first.name}`}
        label="Extract to"
        about={where}
        verb="Extract"
        act={extract}
      >
        {replacing}
      </FileDialog>
    )
  }
  const compress = (name: string) =>
    done(follow(api.fileCompress({ params, body: { paths, to: joined(folder, name), overwrite } })))
  return (
    <FileDialog
      onClose={onClose}
      value={`${first.name}.zip`}
      title="Compress"
      label="Name of the archive"
      verb="Compress"
      act={compress}
    >
      {replacing}
    </FileDialog>
  )
}
