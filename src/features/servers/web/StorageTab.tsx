import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Server, Storage } from '#features/servers/contract.ts'
import { useCan } from '#web/client/can.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Card } from '#web/kit/Card.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Meter } from '#web/kit/Meter.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { api } from './api.ts'
import { serverActions } from './can.ts'
import { MoveBackups } from './MoveBackups.tsx'
import classes from './StorageTab.module.css'
import { shareOf } from './share.ts'

type StorageAnswer = z.output<typeof Storage>

const useStorage = (id: number) =>
  useQuery({ queryKey: ['servers', id, 'storage'], queryFn: () => api.serverStorage({ params: { id } }) })

const takenText = (usedBytes: number | null) => {
  if (usedBytes === null) return 'Too many files to count'
  return usedBytes === 0 ? 'Nothing yet' : bytesText(usedBytes)
}

const Backups = ({ backupRoot: { path, filesystem, totalBytes, freeBytes }, usedBytes }: StorageAnswer) => (
  <Section title="Backups" about="Stored on the server, in their own folder.">
    <Card>
      <div className={classes.storage}>
        <Facts
          facts={[
            ['Folder', <code key="path">{path}</code>],
            ['Disk', filesystem],
            ['Used by backups', takenText(usedBytes)],
          ]}
        />
        <Meter
          label="Backup disk"
          {...shareOf(totalBytes === null || freeBytes === null ? null : totalBytes - freeBytes, totalBytes)}
        />
      </div>
    </Card>
  </Section>
)

/** Where the backups of a server are, and their way to another disk. */
export const StorageTab = ({ server }: { server: Server }) => {
  const storage = useStorage(server.id)
  const can = useCan(serverActions)
  return (
    <Loaded query={storage} skeleton={<Skeleton rows={2} height="10rem" />}>
      {data => (
        <>
          <Backups {...data} />
          {can('serverRelocateBackups', server).isOffered && <MoveBackups server={server} />}
        </>
      )}
    </Loaded>
  )
}
