import { Title } from '@mantine/core'
import { useId } from 'react'
import { Card } from '#web/kit/Card.tsx'
import { SettingRow } from './SettingRow.tsx'
import classes from './SettingsSection.module.css'
import { type Draft, pathOf, type Section, type Settings, type Shown, toShown } from './setting-fields.ts'
import { TestEmail } from './TestEmail.tsx'

interface SettingsSectionProps {
  section: Section
  settings: Settings
  draft: Draft
  onChange: (path: string, shown: Shown | undefined) => void
  errorAt: (path: string) => string | undefined
}

/** The fields that one feature added. Each section can be linked to by its id. */
export const SettingsSection = ({ section, settings, draft, onChange, errorAt }: SettingsSectionProps) => {
  const headingId = useId()
  const isChanged = section.fields.some(field => draft[pathOf(section, field)] !== undefined)
  return (
    <section id={section.id} className={classes.section} aria-labelledby={headingId}>
      <div className={classes.head}>
        <Title order={2} size="h5" id={headingId}>
          {section.title}
        </Title>
        {section.id === 'mail' && <TestEmail isChanged={isChanged} address={settings.values.mail?.notifyAddress} />}
      </div>
      <Card flush>
        {section.fields.map(field => {
          const path = pathOf(section, field)
          return (
            <SettingRow
              key={path}
              field={field}
              path={path}
              saved={toShown(settings.values[section.id]?.[field.name])}
              draft={draft[path]}
              isSecretSet={settings.secretsSet.includes(path)}
              error={errorAt(path)}
              onChange={shown => onChange(path, shown)}
            />
          )
        })}
      </Card>
    </section>
  )
}
