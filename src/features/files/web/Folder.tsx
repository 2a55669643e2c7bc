import { Alert } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconInfoCircle } from '@tabler/icons-react'
import { type DragEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import type { FileEntry } from '../contract.ts'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { fileActions } from './can.ts'
import { droppedFiles } from './dropped-files.ts'
import classes from './Files.module.css'
import { FilesTable } from './FilesTable.tsx'
import { FixOwnership } from './FixOwnership.tsx'
import { NewButtons } from './NewButtons.tsx'
import { SelectedFiles } from './SelectedFiles.tsx'
import { FolderTree } from './tree/FolderTree.tsx'
import { UploadList } from './UploadList.tsx'
import { useFolder } from './use-files.ts'
import { useFolderKeys } from './use-folder-keys.ts'
import { useUploads } from './use-uploads.ts'

/** Where a tree fits next to the list, as in the stylesheet. */
const WIDE = '(min-width: 75em)'

const Note = ({ text }: { text: string }) => (
  <Alert color="gray" variant="light" p="sm" icon={<IconInfoCircle aria-hidden="true" />}>
    {text}
  </Alert>
)

interface ListingProps {
  site: Site
  path: string
  listing: { entries: readonly FileEntry[]; writable: boolean; truncated: boolean }
  now: number
  onShown: () => void
}

const Listing = ({ site, path, listing: { entries, writable, truncated }, now, onShown }: ListingProps) => {
  const can = useCan(fileActions)
  const shown = useRef(onShown)
  useLayoutEffect(() => shown.current(), [])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = entries.filter(({ name, isNameValid }) => isNameValid && chosen.has(name))
  return (
    <>
      {truncated && <Note text="Only the first 10,000 entries are shown. Search for a name to find others." />}
      {!writable && <Note text="The site can't write to this folder. Fix ownership gives it back to the site." />}
      <SelectedFiles {...{ site }} folder={path} entries={selected} onDone={() => setChosen(new Set())} />
      <FilesTable
        folder={path}
        {...{ entries, now }}
        mayRead={can('fileRead').isOffered}
        selection={can('fileMove').isOffered ? { chosen, onChange: setChosen } : undefined}
      />
    </>
  )
}

/** A folder of a site: what is in it, and what can be put there. */
export const Folder = ({ site, path }: { site: Site; path: string }) => {
  const query = useFolder(site.slug, path)
  const mayChange = useCan(fileActions)('fileMkdir').isOffered
  const uploads = useUploads(site.slug)
  const { box, takeFocus, listeners } = useFolderKeys(path)
  const isWide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false })
  const [isOver, setOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void droppedFiles(event.dataTransfer).then(files => uploads.start(files, path))
  }
  const drop = {
    onDrop,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
  }
  return (
    <>
      <Section
        title="Files"
        about={<Breadcrumbs path={path} />}
        actions={
          mayChange && (
            <div className={classes.head}>
              <FixOwnership slug={site.slug} folder={path} />
              <NewButtons slug={site.slug} folder={path} onChosen={files => uploads.start(files, path)} />
            </div>
          )
        }
      >
        <div className={classes.columns}>
          {isWide && <FolderTree slug={site.slug} current={path} />}
          <section
            ref={box}
            aria-label="Content of the folder"
            tabIndex={-1}
            className={classes.drop}
            data-over={isOver}
            {...listeners}
            {...(mayChange && drop)}
          >
            <Loaded query={query} skeleton={<Skeleton rows={8} />}>
              {listing => (
                <Listing key={path} {...{ site, path, listing }} now={query.dataUpdatedAt} onShown={takeFocus} />
              )}
            </Loaded>
          </section>
        </div>
      </Section>
      <UploadList {...uploads} />
    </>
  )
}
