import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Server, Storage } from '#features/servers/contract.ts'
import { api } from '#web/api.ts'
import { useMay } from '#web/session.ts'
import { bytesText } from '#web/ui/bytes.ts'
import { Card } from '#web/ui/Card.tsx'
import { Facts } from '#web/ui/Facts.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Meter } from '#web/ui/Meter.tsx'
import { Section } from '#web/ui/Section.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { MoveBackups } from './MoveBackups.tsx'
import classes from './StorageTab.module.css'
import { shareOf } from './share.ts'

type StorageAnswer = z.output<typeof Storage>

const useStorage = (id: number) =>
  useQuery({ queryKey: ['servers', id, 'storage'], queryFn: () => api.serverStorage({ params: { id } }) })

const takenText = (usedBytes: number | null) => {
  if (usedBytes === null) return 'Too many files to count now'
  return usedBytes === 0 ? 'Nothing yet' : bytesText(usedBytes)
}

const Backups = ({ backupRoot: { path, filesystem, totalBytes, freeBytes }, usedBytes }: StorageAnswer) => (
  <Section title="Backups" about="Kept on the server itself, in a folder of their own.">
    <Card>
      <div className={classes.storage}>
        <Facts
          facts={[
            ['Folder', <code key="path">{path}</code>],
            ['Disk', filesystem],
            ['Taken by backups', takenText(usedBytes)],
          ]}
        />
        <Meter
          label="The disk it is on"
          {...shareOf(totalBytes === null || freeBytes === null ? null : totalBytes - freeBytes, totalBytes)}
        />
      </div>
    </Card>
  </Section>
)

/** Where the backups of a server are, and their way to another disk. */
export const StorageTab = ({ server }: { server: Server }) => {
  const storage = useStorage(server.id)
  const may = useMay()
  return (
    <Loaded query={storage} skeleton={<Skeleton rows={2} height="10rem" />}>
      {data => (
        <>
          <Backups {...data} />
          {may('full') && <MoveBackups server={server} />}
        </>
      )}
    </Loaded>
  )
}
