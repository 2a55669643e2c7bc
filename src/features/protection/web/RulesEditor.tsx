import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconListCheck, IconTrash } from '@tabler/icons-react'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Section } from '#web/kit/Section.tsx'
import type { Condition } from '../contract.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { DryRunButton } from './DryRunButton.tsx'
import type { EditedRule } from './edited-rule.ts'
import classes from './Protection.module.css'

const NEW_CONDITION: Condition = { field: 'path', operator: 'begins', value: '' }
const NEW_RULE: EditedRule = { action: 'block', match: 'all', conditions: [NEW_CONDITION], note: '', enabled: true }

interface RuleFieldsProps {
  rule: EditedRule
  index: number
  count: number
  errorOf: (path: string) => string | undefined
  onChange: (rule: EditedRule) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

const Arrange = ({ index, count, onMove, onRemove }: RuleFieldsProps) => (
  <span className={`${classes.line} ${classes.push}`}>
    <ActionIcon variant="subtle" color="gray" aria-label="Move up" disabled={index === 0} onClick={() => onMove(-1)}>
      <IconArrowUp size={16} aria-hidden="true" />
    </ActionIcon>
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label="Move down"
      disabled={index === count - 1}
      onClick={() => onMove(1)}
    >
      <IconArrowDown size={16} aria-hidden="true" />
    </ActionIcon>
    <ActionIcon variant="subtle" color="red" aria-label="Delete rule" onClick={onRemove}>
      <IconTrash size={16} aria-hidden="true" />
    </ActionIcon>
  </span>
)

const RuleFields = (props: RuleFieldsProps) => {
  const { rule, index, errorOf, onChange } = props
  const { conditions } = rule
  const setConditions = (next: Condition[]) => onChange({ ...rule, conditions: next })
  return (
    <li className={classes.rule} aria-label={`Rule ${index + 1}`}>
      <div className={classes.line}>
        <NativeSelect
          size="xs"
          aria-label="What the rule does"
          value={rule.action}
          onChange={event => onChange({ ...rule, action: event.currentTarget.value as EditedRule['action'] })}
          data={[
            { value: 'block', label: 'Refuse requests' },
            { value: 'allow', label: 'Always allow requests' },
          ]}
        />
        <NativeSelect
          size="xs"
          aria-label="How many conditions"
          value={rule.match}
          onChange={event => onChange({ ...rule, match: event.currentTarget.value as EditedRule['match'] })}
          data={[
            { value: 'all', label: 'that meet all conditions' },
            { value: 'any', label: 'that meet any condition' },
          ]}
        />
        <Arrange {...props} />
      </div>
      {Object.entries(conditions).map(([place, condition]) => (
        <ConditionFields
          key={place}
          condition={condition}
          errorOf={field => errorOf(`customRules.${index}.conditions.${place}.${field}`)}
          onChange={next => setConditions(conditions.with(Number(place), next))}
          onRemove={conditions.length > 1 ? () => setConditions(conditions.toSpliced(Number(place), 1)) : undefined}
        />
      ))}
      <div className={classes.line}>
        <Button variant="default" size="xs" onClick={() => setConditions([...conditions, NEW_CONDITION])}>
          Add condition
        </Button>
        <TextInput
          className={classes.value ?? ''}
          size="xs"
          aria-label="Note"
          placeholder="What it is for"
          value={rule.note}
          onChange={event => onChange({ ...rule, note: event.currentTarget.value })}
          error={errorOf(`customRules.${index}.note`)}
        />
        <Checkbox
          size="xs"
          label="On"
          checked={rule.enabled}
          onChange={event => onChange({ ...rule, enabled: event.currentTarget.checked })}
        />
      </div>
    </li>
  )
}

interface RulesEditorProps {
  slug: string
  rules: EditedRule[]
  errorOf: (path: string) => string | undefined
  onChange: (rules: EditedRule[]) => void
}

/** The site's own rules, in the order in which they are checked. */
export const RulesEditor = ({ slug, rules, errorOf, onChange }: RulesEditorProps) => (
  <Section
    title="Custom rules"
    about="Checked before everything else. The first rule that matches decides; what is allowed is not limited either."
    actions={
      <Button variant="default" size="xs" onClick={() => onChange([...rules, NEW_RULE])}>
        Add rule
      </Button>
    }
  >
    <Card flush>
      {rules.length === 0 ? (
        <Empty icon={IconListCheck} title="No custom rules">
          Refuse or allow requests by address, path, header and more.
        </Empty>
      ) : (
        <ol className={classes.rules}>
          {Object.entries(rules).map(([place, rule]) => (
            <RuleFields
              key={place}
              {...{ rule, errorOf }}
              index={Number(place)}
              count={rules.length}
              onChange={next => onChange(rules.with(Number(place), next))}
              onMove={by => onChange(rules.toSpliced(Number(place), 1).toSpliced(Number(place) + by, 0, rule))}
              onRemove={() => onChange(rules.toSpliced(Number(place), 1))}
            />
          ))}
        </ol>
      )}
    </Card>
    {rules.length > 0 && <DryRunButton {...{ slug, rules }} />}
  </Section>
)
