import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { showToast } from '#web/kit/toasts.ts'
import { useUnsaved } from '#web/kit/use-unsaved.ts'
import type { Draft, Shown } from './setting-fields.ts'

const queryKey = ['settings-draft']
const NOTHING: Draft = {}

/**
 * Changes that are not saved yet. They outlive the page, so that looking something up elsewhere in the panel costs nothing,
 * and go with the session.
 */
export const useSettingsDraft = () => {
  const queryClient = useQueryClient()
  const kept = () => queryClient.getQueryData<Draft>(queryKey) ?? NOTHING
  // A field shows what is typed at once; the cache tells its readers a moment later, which would move the caret.
  const [draft, setDraft] = useState(kept)
  const keep = (next: Draft) => {
    queryClient.setQueryDefaults(queryKey, { gcTime: Infinity })
    queryClient.setQueryData<Draft>(queryKey, next)
    setDraft(next)
  }
  const isDirty = Object.keys(draft).length > 0
  useUnsaved(isDirty)
  const tellOnLeaving = useEffectEvent(() => {
    if (!isDirty) return
    const link = { label: 'Go back', to: '/settings' }
    showToast({ tone: 'good', text: 'Your settings changes are not saved yet.', link })
  })
  useEffect(() => () => tellOnLeaving(), [])
  return {
    draft,
    isDirty,
    /** Notes a change; undefined takes it back. */
    set: (path: string, shown: Shown | undefined) => {
      const { [path]: _, ...others } = kept()
      keep(shown === undefined ? others : { ...others, [path]: shown })
    },
    clear: () => keep(NOTHING),
  }
}
