import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { monitor } from '#features/monitor/contract.ts'
import type { Server } from '#features/servers/contract.ts'
import { bytesText, percentText, rateText } from '#web/kit/bytes.ts'
import { Chart, ChartSkeleton } from '#web/kit/Chart.tsx'
import { Choice } from '#web/kit/Choice.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { withGaps } from '#web/kit/time-steps.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { api } from './api.ts'
import classes from './ServerCharts.module.css'
import { useServerUse } from './use-servers.ts'

type History = z.output<(typeof monitor)['monitorServerHistory']['reply']>

const SPANS = [
  { value: '1', word: '1 hour' },
  { value: '6', word: '6 hours' },
  { value: '24', word: '1 day' },
  { value: '72', word: '3 days' },
  { value: '168', word: '7 days' },
] as const

const REFRESH_MS = 60_000

const useSpan = () => {
  const url = useUrlState()
  const span = SPANS.find(({ value }) => value === url.of('hours')) ?? SPANS[0]
  return { span: span.value, choose: (hours: string) => url.set({ hours: hours === SPANS[0].value ? '' : hours }) }
}

const useHistory = (id: number, hours: number) =>
  useQuery({
    queryKey: ['monitor', 'server', id, hours],
    queryFn: async () => ({
      hours,
      readAt: Date.now(),
      ...(await api.monitorServerHistory({ params: { id }, query: { hours } })),
    }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })

const loadText = (load: number) => load.toFixed(load < 10 ? 2 : 1)

interface ChartsProps {
  history: History & { hours: number; readAt: number }
  memTotalBytes: number | null | undefined
  diskTotalBytes: number | null | undefined
}

const Charts = ({ history, memTotalBytes, diskTotalBytes }: ChartsProps) => {
  const { times, of } = withGaps(history.points, history.stepSeconds, history.hours, history.readAt)
  return (
    <div className={classes.grid}>
      <Chart
        title="CPU"
        times={times}
        max={1}
        format={percentText}
        series={[
          { label: 'Average', tone: 'first', values: of(point => point.cpuShare) },
          { label: 'Peak', tone: 'second', values: of(point => point.cpuShareMax) },
        ]}
      />
      <Chart
        title="Memory"
        times={times}
        {...(memTotalBytes && { max: memTotalBytes })}
        format={bytesText}
        series={[{ label: 'Used', tone: 'first', values: of(point => point.memUsedMaxBytes) }]}
      />
      <Chart
        title="Load"
        times={times}
        format={loadText}
        series={[
          { label: 'Average', tone: 'first', values: of(point => point.load1) },
          { label: 'Peak', tone: 'second', values: of(point => point.load1Max) },
        ]}
      />
      <Chart
        title="Network"
        times={times}
        format={rateText}
        series={[
          { label: 'In', tone: 'first', values: of(point => point.netInBytesPerSecond) },
          { label: 'Out', tone: 'second', values: of(point => point.netOutBytesPerSecond) },
        ]}
      />
      <Chart
        title="Disk"
        times={times}
        {...(diskTotalBytes && { max: diskTotalBytes })}
        format={bytesText}
        series={[{ label: 'Used', tone: 'first', values: of(point => point.diskUsedBytes) }]}
      />
    </div>
  )
}

const WAITING = (
  <div className={classes.grid}>
    {['CPU', 'Memory', 'Load', 'Network', 'Disk'].map(name => (
      <ChartSkeleton key={name} />
    ))}
  </div>
)

/** What a server used, from the last hour to the last week. */
export const ServerCharts = ({ server }: { server: Server }) => {
  const { span, choose } = useSpan()
  const history = useHistory(server.id, Number(span))
  const use = useServerUse()(server.id)
  return (
    <Section title="Usage" actions={<Choice label="Time range" options={SPANS} value={span} onChange={choose} />}>
      <Loaded query={history} skeleton={WAITING}>
        {data => <Charts history={data} memTotalBytes={use?.memTotalBytes} diskTotalBytes={use?.diskTotalBytes} />}
      </Loaded>
    </Section>
  )
}
