import { IconShieldCheck } from '@tabler/icons-react'
import { Chart } from '#web/kit/Chart.tsx'
import { Choice } from '#web/kit/Choice.tsx'
import { counted, countText } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { When } from '#web/kit/When.tsx'
import type { BlockedRequest, RuleCount, StoredRule } from '../contract.ts'
import classes from './Protection.module.css'
import { useRefused } from './use-protection.ts'
import { ruleText } from './words.ts'

interface RefusedRequestsProps {
  slug: string
  customRules: readonly StoredRule[]
}

const columnsFor = (now: number, customRules: readonly StoredRule[]): readonly Column<BlockedRequest>[] => [
  {
    id: 'request',
    title: 'Request',
    cell: ({ method, path, userAgent }) => (
      <>
        <span className={classes.plain}>
          {method} {path}
        </span>
        <CellNote>{userAgent || 'No user agent'}</CellNote>
      </>
    ),
  },
  { id: 'rule', title: 'Rule', width: '12rem', cell: ({ rule }) => ruleText(rule, customRules) },
  { id: 'address', title: 'Address', width: '10rem', wide: true, cell: ({ address }) => address },
  { id: 'at', title: 'Time', width: '8rem', wide: true, cell: ({ at }) => <When {...{ at, now }} /> },
]

interface WeekProps extends Pick<RefusedRequestsProps, 'customRules'> {
  counts: readonly RuleCount[]
  /** The only one to show; empty for all. */
  rule: string
}

const Week = ({ counts, rule, customRules }: WeekProps) => {
  const shown = counts.filter(each => rule === '' || each.rule === rule)
  const times = counts[0]?.days.map(({ at }) => at) ?? []
  const values = times.map((_, index) => shown.reduce((sum, { days }) => sum + (days[index]?.count ?? 0), 0))
  const label = rule === '' ? 'All rules' : ruleText(rule, customRules)
  return (
    <Chart
      counts
      title="Refused by day (UTC)"
      {...{ times }}
      format={countText}
      series={[{ label, tone: 'bad', values }]}
    />
  )
}

const None = (
  <Empty icon={IconShieldCheck} title="Nothing was refused">
    Refused requests of the last 7 days are listed here about a minute after they came.
  </Empty>
)

/** What the edge refused in the last 7 days. */
export const RefusedRequests = ({ slug, customRules }: RefusedRequestsProps) => {
  const url = useUrlState()
  const rule = url.of('rule')
  const query = useRefused(slug, rule)
  return (
    <Loaded query={query} skeleton={<Skeleton rows={4} />}>
      {({ items, counts7d }) => {
        const total = counts7d.reduce((sum, { count }) => sum + count, 0)
        const options = counts7d.map(each => ({
          value: each.rule,
          word: ruleText(each.rule, customRules),
          count: each.count,
        }))
        return (
          <Section title="Refused requests" about={`${counted(total, 'request')} in the last 7 days.`}>
            {total > 0 && <Week counts={counts7d} {...{ rule, customRules }} />}
            {options.length > 1 && (
              <div className={classes.line}>
                <Choice
                  label="Rule"
                  options={[{ value: '', word: 'All', count: total }, ...options]}
                  value={rule}
                  onChange={value => url.set({ rule: value })}
                />
              </div>
            )}
            <Table
              label="Refused requests"
              rows={items}
              columns={columnsFor(query.dataUpdatedAt, customRules)}
              idOf={({ id }) => id}
              empty={None}
            />
          </Section>
        )
      }}
    </Loaded>
  )
}
