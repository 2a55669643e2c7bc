import { useQueryClient } from '@tanstack/react-query'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import { folderKey } from './use-files.ts'

/** For files that were brought by someone else, such as root, and that the site can't change. */
export const FixOwnership = ({ slug, folder }: { slug: string; folder: string }) => {
  const queryClient = useQueryClient()
  const fix = async () => {
    await api.fileFixOwnership({ params: { slug }, body: { path: folder } })
    showToast({ tone: 'good', text: 'Everything in this folder belongs to the site again.' })
    await queryClient.invalidateQueries({ queryKey: folderKey(slug) })
  }
  return (
    <ConfirmButton
      label="Fix ownership"
      ask="fix-ownership"
      title={`Give ${folder === '' ? 'all files' : folder} back to the site?`}
      verb="Fix ownership"
      effects={['Everything in this folder belongs to the site again, so that it can change it.']}
      act={fix}
    />
  )
}
