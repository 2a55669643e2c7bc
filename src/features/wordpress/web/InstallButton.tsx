import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { api } from './api.ts'
import { wordpressActions } from './can.ts'

interface InstallButtonProps {
  site: Site
  name: string
  isInstalled: boolean
  body: Parameters<typeof api.wpPluginInstall>[0]['body']
}

/** Installs a plugin on a site that does not have it. */
export const InstallButton = ({ site, name, isInstalled, body }: InstallButtonProps) => {
  const verdict = useCan(wordpressActions)('wpPluginInstall', site)
  if (isInstalled) return <Status tone="good" word="Installed" />
  const start = () => api.wpPluginInstall({ params: { slug: site.slug }, body })
  return <JobButton label="Install" name={name} verdict={verdict} start={start} />
}
