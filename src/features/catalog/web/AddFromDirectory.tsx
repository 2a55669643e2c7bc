import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Dialog } from '#web/kit/Dialog.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Status } from '#web/kit/Status.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import type { FoundPlugin } from '../contract.ts'
import { api } from './api.ts'
import { DirectorySearch } from './DirectorySearch.tsx'

const ASK = 'add'
const LONGEST_NAME = 100

const AddButton = ({ plugin: { slug, name } }: { plugin: FoundPlugin }) => {
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: () =>
      api.pluginAdd({ body: { kind: 'wporg', slug, name: name.trim().slice(0, LONGEST_NAME) || slug } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['plugins'] }),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Add ${name}`}
      loading={adding.isPending}
      onClick={() => adding.mutate()}
    >
      Add
    </Button>
  )
}

/** Finds a plugin on WordPress.org and adds it to the catalog. */
export const AddFromDirectory = ({ known }: { known: ReadonlySet<string> }) => {
  const url = useUrlState()
  return (
    <>
      <Button size="sm" onClick={() => url.push({ ask: ASK })}>
        Add from WordPress.org
      </Button>
      {url.of('ask') === ASK && (
        <Dialog title="Add a plugin to the catalog" kind="side" onClose={() => url.set({ ask: '' })}>
          <DirectorySearch>
            {plugin =>
              known.has(plugin.slug) ? <Status tone="good" word="In the catalog" /> : <AddButton plugin={plugin} />
            }
          </DirectorySearch>
        </Dialog>
      )}
    </>
  )
}
