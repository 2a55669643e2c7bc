import { IconArchive } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Status } from '#web/kit/Status.tsx'
import { BackupsTable } from './BackupsTable.tsx'
import { useDeletedSiteBackups } from './use-backups.ts'
import { standingWords } from './words.ts'

const None = (
  <Empty icon={IconArchive} title="No backups left">
    The backups of this site were deleted.
  </Empty>
)

/** What is left of a site that was deleted: backups to download or delete. */
export const DeletedSitePage = () => {
  const { slug = '' } = useParams()
  const query = useDeletedSiteBackups(slug)
  return (
    <Page
      title={slug}
      back={{ label: 'Backups', to: '/backups' }}
      status={<Status {...standingWords.deleted} />}
      about="Download a backup to import it elsewhere. Each is one .tar file with all files and the database."
    >
      <Loaded query={query}>
        {({ items }) => <BackupsTable items={items} siteSlug={slug} now={query.dataUpdatedAt} empty={None} />}
      </Loaded>
    </Page>
  )
}
