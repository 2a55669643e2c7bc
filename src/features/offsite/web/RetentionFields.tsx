import { TextInput } from '@mantine/core'
import { Card } from '#web/kit/Card.tsx'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import { Section } from '#web/kit/Section.tsx'
import { RETENTION_FIELDS } from '../contract.ts'
import type { DestinationValues } from './values.ts'

type Retention = DestinationValues['retention']

const LABELS: Record<keyof Retention, string> = {
  retentionCount: 'Newest copies',
  retentionDays: 'Days with all copies',
  retentionDaily: 'Daily copies',
  retentionWeekly: 'Weekly copies',
  retentionMonthly: 'Monthly copies',
}

interface RetentionFieldsProps {
  retention: Retention
  errorOf: (name: string) => string | undefined
  onChange: (name: keyof Retention, value: string) => void
}

/** How long copies are kept. */
export const RetentionFields = ({ retention, errorOf, onChange }: RetentionFieldsProps) => (
  <Section
    title="Retention"
    about="For each site. A copy stays while one of these keeps it. Leave all empty to keep everything. The newest good copy always stays."
  >
    <Card>
      <FieldGrid>
        {RETENTION_FIELDS.map(name => (
          <TextInput
            key={name}
            name={name}
            label={LABELS[name]}
            inputMode="numeric"
            autoComplete="off"
            placeholder="No limit"
            value={retention[name]}
            error={errorOf(name)}
            onChange={event => onChange(name, event.currentTarget.value)}
          />
        ))}
      </FieldGrid>
    </Card>
  </Section>
)
