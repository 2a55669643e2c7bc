import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Site, sites } from '#features/sites/contract.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Card } from '#web/kit/Card.tsx'
import { Chart, ChartSkeleton } from '#web/kit/Chart.tsx'
import { Choice } from '#web/kit/Choice.tsx'
import { counted, countText } from '#web/kit/counted.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { withGaps } from '#web/kit/time-steps.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { SiteFacts } from './SiteFacts.tsx'
import classes from './SiteOverview.module.css'
import { useSiteHistory, useSiteTraffic, useSiteUses } from './use-sites.ts'

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

/** A site mostly uses little of a server, so small shares keep a digit. */
const cpuText = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

const Paths = ({ paths }: { paths: Traffic['topPaths'] }) =>
  paths.length === 0 ? (
    <p className={classes.none}>No requests in this period.</p>
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
  // The step that is not over belongs to the totals, so the charts show it too.
  const { totals, buckets } = traffic
  const times = buckets.map(({ at }) => at)
  const failed = ({ status }: Traffic['totals']) => status['4xx'] + status['5xx']
  const cached = totals.requests === 0 ? 0 : Math.round((totals.cacheHits / totals.requests) * 100)
  return (
    <Section
      title="Traffic"
      actions={range}
      about={`${counted(totals.requests, 'request')}, ${countText(failed(totals))} of them errors, ${cached} % from the cache, ${bytesText(totals.bytes)} sent`}
    >
      <div className={classes.charts}>
        <Chart
          counts
          title="Requests"
          times={times}
          format={countText}
          series={[
            { label: 'All', tone: 'first', values: buckets.map(({ requests }) => requests) },
            { label: 'Errors', tone: 'bad', values: buckets.map(failed) },
          ]}
        />
        <Chart
          counts
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
                title="CPU (share of server)"
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
export const SiteOverview = ({ site }: { site: Site }) => {
  const url = useUrlState()
  const { data: uses } = useSiteUses()
  const asked = url.of('hours')
  const chosen = RANGES.find(({ value }) => value === asked)?.value ?? DEFAULT_HOURS
  const hours = Number(chosen)
  const traffic = useSiteTraffic(site.slug, hours)
  const range = (
    <Choice label="Time range" options={RANGES} value={chosen} onChange={value => url.set({ hours: value })} />
  )
  return (
    <>
      <SiteFacts site={site} use={uses?.get(site.slug)} />
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
        <Section title="Top requests" about="Counted in full hours, so the first hour may begin earlier.">
          <Paths paths={traffic.data.topPaths} />
        </Section>
      )}
    </>
  )
}
