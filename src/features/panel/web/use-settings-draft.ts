import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { showToast } from '#web/ui/toasts.ts'
import type { Draft, Shown } from './setting-fields.ts'

const queryKey = ['settings-draft']
const NOTHING: Draft = {}

/** The browser asks before it closes or reloads a page whose changes would be lost. */
const useAskBeforeClosing = (isDirty: boolean) => {
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
}

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
  useAskBeforeClosing(isDirty)
  const tellOnLeaving = useEffectEvent(() => {
    if (!isDirty) return
    const link = { label: 'Back to them', to: '/settings' }
    showToast({ tone: 'good', text: 'Your changes to the settings are kept, but not saved yet.', link })
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
