import { Button, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconUrgent } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { Attention, panel } from '#features/panel/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { Prose } from '#web/kit/Prose.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import classes from './AttentionList.module.css'
import { SnoozeButton, UnsnoozeButton } from './Snooze.tsx'

type Overview = z.output<(typeof panel)['overview']['reply']>

const severities = {
  critical: { icon: IconUrgent, word: 'Critical' },
  warning: { icon: IconAlertTriangle, word: 'Warning' },
  info: { icon: IconInfoCircle, word: 'Note' },
} as const

interface AttentionItemProps {
  item: Attention
  /** Next to the act that fixes it. */
  children: ReactNode
}

const AttentionItem = ({ item, children }: AttentionItemProps) => {
  const { icon: Icon, word } = severities[item.severity]
  return (
    <li className={classes.item}>
      <Icon className={classes.icon} data-severity={item.severity} aria-hidden="true" />
      <div className={classes.text}>
        <div className={classes.title}>
          <VisuallyHidden>{word}: </VisuallyHidden>
          {item.title}
        </div>
        <div className={classes.detail}>
          <Prose text={item.detail} />
        </div>
      </div>
      {item.action && (
        <Button component={Link} to={item.action.to} variant="default" size="xs" className={classes.action ?? ''}>
          {item.action.label}
        </Button>
      )}
      {children}
    </li>
  )
}

const FIRST = 5

const Nothing = () => (
  <div className={classes.item}>
    <IconCircleCheck className={classes.icon} data-severity="none" aria-hidden="true" />
    <div className={classes.text}>
      <div className={classes.title}>All clear</div>
      <div className={classes.detail}>Anything that needs attention appears here.</div>
    </div>
  </div>
)

const Snoozed = ({ items }: { items: Overview['snoozed'] }) => {
  const timeZone = useTimeZone()
  const [isOpen, setIsOpen] = useState(false)
  if (items.length === 0) return null
  return (
    <>
      {isOpen && (
        <ul className={classes.list} aria-label="Snoozed">
          {items.map(({ until, ...item }) => (
            <AttentionItem
              key={item.id}
              item={{ ...item, action: null, detail: `Until ${minuteTime(until, timeZone)}` }}
            >
              <UnsnoozeButton item={item} />
            </AttentionItem>
          ))}
        </ul>
      )}
      <button type="button" className={classes.all} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide snoozed' : `${items.length} snoozed`}
      </button>
    </>
  )
}

/** What a person should look at, most important first; the rest, and what they snoozed, on demand. */
export const AttentionList = ({ attention: items, snoozed }: Pick<Overview, 'attention' | 'snoozed'>) => {
  const [showsAll, setShowsAll] = useState(false)
  if (items.length === 0)
    return (
      <Card flush>
        <Nothing />
        <Snoozed items={snoozed} />
      </Card>
    )
  return (
    <Card flush>
      <ul className={classes.list}>
        {items.slice(0, showsAll ? items.length : FIRST).map(item => (
          <AttentionItem key={item.id} item={item}>
            <SnoozeButton item={item} />
          </AttentionItem>
        ))}
      </ul>
      {items.length > FIRST && (
        <button type="button" className={classes.all} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${items.length}`}
        </button>
      )}
      <Snoozed items={snoozed} />
    </Card>
  )
}
