import { Button, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconUrgent } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Attention } from '#features/panel/contract.ts'
import { Card } from '#web/ui/Card.tsx'
import { Prose } from '#web/ui/Prose.tsx'
import classes from './AttentionList.module.css'

const severities = {
  critical: { icon: IconUrgent, word: 'Critical' },
  warning: { icon: IconAlertTriangle, word: 'Warning' },
  info: { icon: IconInfoCircle, word: 'Note' },
} as const

const AttentionItem = ({ item }: { item: Attention }) => {
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
    </li>
  )
}

const FIRST = 5

const Nothing = () => (
  <div className={classes.item}>
    <IconCircleCheck className={classes.icon} data-severity="none" aria-hidden="true" />
    <div className={classes.text}>
      <div className={classes.title}>Nothing needs you</div>
      <div className={classes.detail}>Whatever does will show up here.</div>
    </div>
  </div>
)

/** What a person should look at, most important first; the rest on demand. */
export const AttentionList = ({ items }: { items: readonly Attention[] }) => {
  const [showsAll, setShowsAll] = useState(false)
  if (items.length === 0)
    return (
      <Card flush>
        <Nothing />
      </Card>
    )
  return (
    <Card flush>
      <ul className={classes.list}>
        {items.slice(0, showsAll ? items.length : FIRST).map(item => (
          <AttentionItem key={item.id} item={item} />
        ))}
      </ul>
      {items.length > FIRST && (
        <button type="button" className={classes.all} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${items.length}`}
        </button>
      )}
    </Card>
  )
}
