import { Anchor } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useRegistry } from '#web/client/registry.ts'
import { counted } from '#web/kit/counted.ts'
import { Footnote } from '#web/kit/Footnote.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { faultsOf, sentence } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { SaveBar } from '#web/kit/SaveBar.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import { api } from './api.ts'
import classes from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'
import { changesIn, type Settings } from './setting-fields.ts'
import { settingsOptions } from './settings.ts'
import { useSettingsDraft } from './use-settings-draft.ts'

/** The browser looks for the section in the address before there is any. */
const useSectionInAddress = () => {
  const { hash } = useLocation()
  useEffect(() => document.getElementById(hash.slice(1))?.scrollIntoView(), [hash])
}

const SettingsForm = ({ settings }: { settings: Settings }) => {
  const queryClient = useQueryClient()
  const { draft, isDirty, set, clear } = useSettingsDraft()
  useSectionInAddress()
  const { formProps, problem, failures, isPending } = useSubmission(async () => {
    const { jobs, ...saved } = await api.settingsUpdate({ body: changesIn(settings.sections, draft) })
    queryClient.setQueryData(settingsOptions.queryKey, saved)
    clear()
    const reach = jobs.length > 0 ? ` ${counted(jobs.length, 'job')} started to update the servers.` : ''
    showToast({ tone: 'good', text: `Settings saved.${reach}` })
    await queryClient.invalidateQueries({ queryKey: ['jobs'] })
  })
  const errorAt = (path: string) => {
    const fault = problem && faultsOf(problem).find(({ path: at }) => at === path || at.startsWith(`${path}.`))
    return fault && sentence(fault.message)
  }
  // Every fault is about a field of the page, which shows it.
  const shownAtFields = problem ? faultsOf(problem).map(({ path }) => path) : []
  return (
    <form className={classes.form} {...formProps}>
      {settings.sections.map(section => (
        <SettingsSection
          key={section.id}
          section={section}
          settings={settings}
          draft={draft}
          onChange={set}
          errorAt={errorAt}
        />
      ))}
      <FormError key={failures} problem={problem} fields={shownAtFields} />
      <SaveBar isDirty={isDirty} isPending={isPending} onReset={clear} isKept />
    </form>
  )
}

const Version = () => {
  const { data } = useQuery({ queryKey: ['health'], queryFn: () => api.health(), staleTime: Infinity })
  return (
    data && (
      <Footnote>
        Fleetpress {data.version}.{' '}
        <Anchor href="/docs" target="_blank" inherit underline="always">
          API reference
        </Anchor>
      </Footnote>
    )
  )
}

/** Every setting of every feature, with its default and what it changes. */
export const SettingsPage = () => {
  const query = useQuery(settingsOptions)
  return (
    <Page title="Settings" about="For the whole panel and all its servers." tabs={useRegistry().settingsTabs}>
      <Loaded query={query} skeleton={<Skeleton rows={4} height="9rem" />}>
        {settings => (
          <>
            <SettingsForm settings={settings} />
            <Version />
          </>
        )}
      </Loaded>
    </Page>
  )
}
