import { IconPlayerStop } from '@tabler/icons-react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { fileActions } from './can.ts'
import { FileEditor } from './FileEditor.tsx'
import { Folder } from './Folder.tsx'
import { ImagePreview } from './preview/ImagePreview.tsx'
import { isImageName } from './preview/image-in.ts'
import { FoundFiles, SearchForm, searchIn } from './Search.tsx'

const NotRunning = () => (
  <Section title="Files">
    <Card flush>
      <Empty icon={IconPlayerStop} title="The site isn't running">
        Start it to work on its files.
      </Empty>
    </Card>
  </Section>
)

/** The files of a site: folders, an editor, a look at images and a search. */
export const FilesTab = ({ site }: { site: Site }) => {
  const url = useUrlState()
  const maySearch = useCan(fileActions)('fileSearch').isOffered
  const [path, file, find] = [url.of('path'), url.of('file'), url.of('find')]
  if (site.status !== 'running') return <NotRunning />
  if (isImageName(file)) return <ImagePreview key={file} slug={site.slug} path={file} />
  if (file !== '') return <FileEditor key={file} site={site} path={file} />
  return (
    <>
      {maySearch && <SearchForm key={`${path} ${find}`} />}
      {maySearch && find !== '' ? (
        <FoundFiles slug={site.slug} path={path} search={searchIn(url)} />
      ) : (
        <Folder site={site} path={path} />
      )}
    </>
  )
}
