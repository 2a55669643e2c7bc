import { Anchor, Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useActiveJobs } from '#features/jobs/web/index.ts'
import type { Server } from '#features/servers/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import classes from './SettingsTab.module.css'

/** Why the panel would refuse, unless it is told to continue anyway. */
const Obstacles = ({ server, jobs }: { server: Server; jobs: number }) => {
  if (server.sites > 0)
    return (
      <>
        <Anchor component={Link} to={`/sites?serverId=${server.id}`} size="sm" underline="always">
          {counted(server.sites, 'site')}
        </Anchor>{' '}
        {server.sites === 1 ? 'is' : 'are'} on this server. Move or delete {server.sites === 1 ? 'it' : 'them'} first.
      </>
    )
  if (jobs > 0)
    return `${counted(jobs, 'job')} ${jobs === 1 ? 'is' : 'are'} running on this server. Wait or cancel first.`
  return 'Removes it from the panel. Nothing on the machine is changed.'
}

const effectsOf = (server: Server, jobs: number): string[] => [
  'The server, its trusted key and its charts are removed from the panel.',
  ...(server.sites > 0
    ? [
        `Its ${counted(server.sites, 'site')}, with domains and settings, are removed from the panel. They keep running, unmanaged.`,
      ]
    : []),
  ...(jobs > 0 ? [`${counted(jobs, 'job')} on it ${jobs === 1 ? 'is' : 'are'} canceled.`] : []),
  'Nothing on the machine is changed. Files and backups stay.',
  "The panel's key stays in authorized_keys. Remove it there if you keep the machine.",
]

const useForget = (server: Server) => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async (force: boolean) => {
    await api.serverDelete({ params: { id: server.id }, query: force ? { force: 'true' } : {} })
    await navigate('/servers')
    void queryClient.invalidateQueries()
    showToast({ tone: 'good', text: `${server.name} removed.` })
  }
}

/** Takes a server off the list; says first when and why that is refused. */
export const DeleteServer = ({ server }: { server: Server }) => {
  const forget = useForget(server)
  const [force, setForce] = useState(false)
  const jobs = useActiveJobs().data?.items.filter(({ serverId }) => serverId === server.id).length ?? 0
  const isHindered = server.sites > 0 || jobs > 0
  return (
    <Section title="Remove server">
      <Card>
        {server.own ? (
          <p className={classes.words}>The panel runs on this server, so it can't be removed.</p>
        ) : (
          <div className={classes.row}>
            <div className={classes.words}>
              <Obstacles server={server} jobs={jobs} />
              {isHindered && (
                <Checkbox
                  mt="sm"
                  label="Remove anyway, for example because the machine no longer exists"
                  checked={force}
                  onChange={event => setForce(event.currentTarget.checked)}
                />
              )}
            </div>
            <ConfirmButton
              color="red"
              variant="light"
              label="Remove"
              ask="remove"
              disabled={isHindered && !force}
              title={`Remove ${server.name}?`}
              verb="Remove server"
              name={server.name}
              effects={effectsOf(server, jobs)}
              act={() => forget(force)}
            />
          </div>
        )}
      </Card>
    </Section>
  )
}
