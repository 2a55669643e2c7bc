import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Site, sites } from '#features/sites/contract.ts'
import { bytesText } from '#web/ui/bytes.ts'
import { Card } from '#web/ui/Card.tsx'
import { Chart, ChartSkeleton } from '#web/ui/Chart.tsx'
import { Choice } from '#web/ui/Choice.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import { withGaps } from '#web/ui/time-steps.ts'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { SiteFacts, type Use } from './SiteFacts.tsx'
import classes from './SiteOverview.module.css'
import { useSiteHistory, useSiteTraffic } from './use-sites.ts'

type Traffic = z.output<(typeof sites)['siteTraffic']['reply']>

const RANGES = [
  { value: '1', word: '1 hour' },
  { value: '6', word: '6 hours' },
  { value: '24', word: '1 day' },
  { value: '168', word: '7 days' },
] as const
const DEFAULT_HOURS = '24'
const WAITING = (
  <div className={classes.charts}>
    <ChartSkeleton />
    <ChartSkeleton />
  </div>
)

const countText = (value: number) => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value)
/** A site mostly uses little of a server, so small shares keep a digit. */
const cpuText = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

const Paths = ({ paths }: { paths: Traffic['topPaths'] }) =>
  paths.length === 0 ? (
    <p className={classes.none}>Nobody has asked for anything in this time.</p>
  ) : (
    <Card flush>
      <ol className={classes.paths}>
        {paths.map(({ path, requests, bytes }) => (
          <li key={path}>
            <span className={classes.path}>{path}</span>
            <span>{countText(requests)}</span>
            <span className={classes.bytes}>{bytesText(bytes)}</span>
          </li>
        ))}
      </ol>
    </Card>
  )

const TrafficCharts = ({ traffic, range }: { traffic: Traffic; range: ReactNode }) => {
  const { totals } = traffic
  // The last step is not over, and would look as if everybody had left.
  const buckets = traffic.buckets.slice(0, -1)
  const times = buckets.map(({ at }) => at)
  const failed = ({ status }: Traffic['totals']) => status['4xx'] + status['5xx']
  const cached = totals.requests === 0 ? 0 : Math.round((totals.cacheHits / totals.requests) * 100)
  return (
    <Section
      title="Traffic"
      actions={range}
      about={`${countText(totals.requests)} requests, ${countText(failed(totals))} of them errors, ${cached} % from the cache, ${bytesText(totals.bytes)} sent`}
    >
      <div className={classes.charts}>
        <Chart
          title="Requests"
          times={times}
          format={countText}
          series={[
            { label: 'All', tone: 'first', values: buckets.map(({ requests }) => requests) },
            { label: 'Errors', tone: 'bad', values: buckets.map(failed) },
          ]}
        />
        <Chart
          title="Sent to visitors"
          times={times}
          format={bytesText}
          series={[{ label: 'Sent', tone: 'first', values: buckets.map(({ bytes }) => bytes) }]}
        />
      </div>
    </Section>
  )
}

const UseCharts = ({ slug, hours }: { slug: string; hours: number }) => {
  const query = useSiteHistory(slug, hours)
  return (
    <Section title="Resources">
      <Loaded query={query} skeleton={WAITING}>
        {({ points, stepSeconds }) => {
          const { times, of } = withGaps(points, stepSeconds, hours, query.dataUpdatedAt)
          return (
            <div className={classes.charts}>
              <Chart
                title="CPU, of all the server has"
                times={times}
                format={cpuText}
                series={[
                  { label: 'Average', tone: 'first', values: of(({ cpuShare }) => cpuShare) },
                  { label: 'Peak', tone: 'second', values: of(({ cpuShareMax }) => cpuShareMax) },
                ]}
              />
              <Chart
                title="Memory"
                times={times}
                format={bytesText}
                series={[
                  { label: 'Average', tone: 'first', values: of(({ memBytes }) => memBytes) },
                  { label: 'Peak', tone: 'second', values: of(({ memMaxBytes }) => memMaxBytes) },
                ]}
              />
            </div>
          )
        }}
      </Loaded>
    </Section>
  )
}

/** How a site is: what it is made of, what is asked of it and what it uses. */
export const SiteOverview = ({ site, use }: { site: Site; use: Use | undefined }) => {
  const url = useUrlState()
  const asked = url.of('hours')
  const chosen = RANGES.find(({ value }) => value === asked)?.value ?? DEFAULT_HOURS
  const hours = Number(chosen)
  const traffic = useSiteTraffic(site.slug, hours)
  const range = (
    <Choice
      label="How far back the charts go"
      options={RANGES}
      value={chosen}
      onChange={value => url.set({ hours: value })}
    />
  )
  return (
    <>
      <SiteFacts site={site} use={use} />
      {site.notes !== '' && (
        <Section title="Notes">
          <Card>
            <p className={classes.notes}>{site.notes}</p>
          </Card>
        </Section>
      )}
      <Loaded query={traffic} skeleton={WAITING}>
        {data => <TrafficCharts traffic={data} range={range} />}
      </Loaded>
      {!traffic.isPending && <UseCharts slug={site.slug} hours={hours} />}
      {traffic.data && (
        <Section title="Asked for most">
          <Paths paths={traffic.data.topPaths} />
        </Section>
      )}
    </>
  )
}
