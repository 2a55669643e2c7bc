import { Anchor, Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useActiveJobs } from '#features/jobs/web/use-active-jobs.ts'
import type { Server } from '#features/servers/contract.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { counted } from '#web/ui/counted.ts'
import { Section } from '#web/ui/Section.tsx'
import { showToast } from '#web/ui/toasts.ts'
import classes from './SettingsTab.module.css'

/** Why the panel would refuse, unless it is told to go on all the same. */
const Obstacles = ({ server, jobs }: { server: Server; jobs: number }) => {
  if (server.sites > 0)
    return (
      <>
        <Anchor component={Link} to={`/sites?serverId=${server.id}`} size="sm" underline="always">
          {counted(server.sites, 'site')}
        </Anchor>{' '}
        {server.sites === 1 ? 'lives' : 'live'} on this server. Move or delete {server.sites === 1 ? 'it' : 'them'}{' '}
        first.
      </>
    )
  if (jobs > 0) return `${counted(jobs, 'job')} ${jobs === 1 ? 'works' : 'work'} on this server. Wait or cancel first.`
  return 'The panel forgets it. The machine itself is left as it is.'
}

const effectsOf = (server: Server, jobs: number): string[] => [
  'The panel forgets the server, the key it trusted and its charts.',
  ...(server.sites > 0
    ? [
        `The panel forgets its ${counted(server.sites, 'site')}, with their domains and settings. They go on there, looked after by nobody.`,
      ]
    : []),
  ...(jobs > 0 ? [`${counted(jobs, 'job')} on it ${jobs === 1 ? 'is' : 'are'} canceled.`] : []),
  'The machine itself is left as it is, with all its files and backups.',
  'The panel’s key stays in its authorized_keys: take it out there if you keep the machine.',
]

const useForget = (server: Server) => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async (force: boolean) => {
    await api.serverDelete({ params: { id: server.id }, query: force ? { force: 'true' } : {} })
    await navigate('/servers')
    void queryClient.invalidateQueries()
    showToast({ tone: 'good', text: `${server.name} was removed from the panel.` })
  }
}

/** Takes a server off the list; says first when and why that is refused. */
export const DeleteServer = ({ server }: { server: Server }) => {
  const forget = useForget(server)
  const [force, setForce] = useState(false)
  const jobs = useActiveJobs().data?.items.filter(({ serverId }) => serverId === server.id).length ?? 0
  const isHindered = server.sites > 0 || jobs > 0
  return (
    <Section title="Remove the server">
      <Card>
        {server.own ? (
          <p className={classes.words}>This is the panel’s own machine; it is never removed.</p>
        ) : (
          <div className={classes.row}>
            <div className={classes.words}>
              <Obstacles server={server} jobs={jobs} />
              {isHindered && (
                <Checkbox
                  mt="sm"
                  label="Remove it all the same, for instance because the machine is gone"
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
              verb="Remove the server"
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
