import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card } from '#web/kit/Card.tsx'
import { Section } from '#web/kit/Section.tsx'
import { LEVEL_ROWS, LEVELS, type Level, type Overrides } from '../contract.ts'
import {
  limitIn,
  overrideAt,
  type Part,
  type RowValue,
  rateText,
  valueAt,
  valueText,
  withOverride,
} from './overrides.ts'
import classes from './Protection.module.css'
import { levelWords, partWords, type RowWords, rowWords } from './words.ts'

interface CellProps {
  part: Part
  label: string
  /** What applies without an override. */
  usual: RowValue
  value: RowValue | undefined
  onChange: (value: RowValue | undefined) => void
}

const CHOICES: Partial<Record<Part, readonly (string | boolean)[]>> = {
  rules: ['allowed', 'refused'],
  headers: [true, false],
  hardening: [true, false],
}

const ChoiceCell = ({ part, label, usual, value, onChange, more = [] }: CellProps & { more?: string[] }) => {
  const options = [...(CHOICES[part] ?? []), ...more]
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''}
      onChange={event => onChange(options.find(option => String(option) === event.currentTarget.value))}
      data={[
        { value: '', label: `Level: ${valueText(part, usual)}` },
        ...options.map(option => ({ value: String(option), label: valueText(part, option) })),
      ]}
    />
  )
}

const typedText = (value: RowValue | undefined): string => {
  if (value === undefined) return ''
  return value !== null && typeof value === 'object' ? rateText(value) : 'none'
}

const LimitCell = ({ label, usual, value, onChange }: CellProps) => {
  const [text, setText] = useState(typedText(value))
  const typed = limitIn(text)
  const change = (next: string) => {
    setText(next)
    const read = limitIn(next)
    if ('value' in read) onChange(read.value)
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={`Level: ${valueText('limits', usual)}`}
      value={text}
      onChange={event => change(event.currentTarget.value)}
      error={'error' in typed ? typed.error : undefined}
    />
  )
}

interface LevelTableProps {
  part: Part
  level: Level
  overrides: Overrides
  onChange: (overrides: Overrides) => void
}

interface RowProps extends LevelTableProps {
  row: string
  words: RowWords
}

const Row = ({ part, row, words, level, overrides, onChange }: RowProps) => {
  const cell = {
    part,
    label: words.label,
    usual: valueAt(LEVEL_ROWS[level], part, row),
    value: overrideAt(overrides, part, row),
    onChange: (value: RowValue | undefined) => onChange(withOverride(overrides, part, row, value)),
  }
  return (
    <tr>
      <th scope="row">
        {words.label}
        <span className={classes.about}>{words.about}</span>
      </th>
      {LEVELS.map(each => (
        <td key={each} className={classes.level} data-chosen={each === level || undefined}>
          {valueText(part, valueAt(LEVEL_ROWS[each], part, row))}
        </td>
      ))}
      <td>
        {part === 'limits' ? (
          <LimitCell {...cell} />
        ) : (
          <ChoiceCell {...cell} more={part === 'rules' && row === 'xmlrpc' ? ['limited'] : []} />
        )}
      </td>
    </tr>
  )
}

/** One of the tables that say what the levels mean, with what differs for this site. */
export const LevelTable = (props: LevelTableProps) => {
  const { part } = props
  const { title, about } = partWords[part]
  return (
    <Section title={title} about={about}>
      <Card flush>
        <table className={classes.table} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              {LEVELS.map(level => (
                <th key={level} scope="col" className={classes.level}>
                  {levelWords[level].word}
                </th>
              ))}
              <th scope="col">This site</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries<RowWords>(rowWords[part]).map(([row, words]) => (
              <Row key={row} {...props} {...{ row, words }} />
            ))}
          </tbody>
        </table>
      </Card>
    </Section>
  )
}
