import { Button, Checkbox } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { DirectorySearch } from '#features/catalog/web/index.ts'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { refused } from '#web/kit/refused.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { wordpressActions } from './can.ts'
import { FromCatalog } from './FromCatalog.tsx'
import { InstallButton } from './InstallButton.tsx'

const ASK = 'add-plugin'

interface AddPluginProps {
  site: Site
  installed: ReadonlySet<string>
}

const Search = ({ site, installed }: AddPluginProps) => {
  const [activate, setActivate] = useState(true)
  return (
    <DirectorySearch
      options={
        <Checkbox
          label="Activate after installing"
          checked={activate}
          onChange={event => setActivate(event.currentTarget.checked)}
        />
      }
      before={<FromCatalog site={site} installed={installed} activate={activate} />}
    >
      {({ slug, name }) => (
        <InstallButton
          site={site}
          name={`Install ${name}`}
          isInstalled={installed.has(slug)}
          body={{ source: { kind: 'wporg', slug }, activate }}
        />
      )}
    </DirectorySearch>
  )
}

/** Finds a plugin on WordPress.org or in the catalog and installs it. */
export const AddPlugin = ({ site, installed }: AddPluginProps) => {
  const url = useUrlState()
  const { isOffered, isAllowed, reason } = useCan(wordpressActions)('wpPluginInstall', site)
  if (!isOffered) return null
  const open = () => isAllowed && url.push({ ask: ASK })
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} {...refused(reason)} onClick={open}>
        Add plugin
      </Button>
      {url.of('ask') === ASK && (
        <Dialog title={`Add a plugin to ${site.title}`} kind="side" onClose={() => url.set({ ask: '' })}>
          <Search site={site} installed={installed} />
        </Dialog>
      )}
    </>
  )
}
