/** A plan as the form has it: the usual ones by choice, any other as cron. */
export interface Plan {
  every: 'hour' | 'day' | 'week' | 'month' | 'custom'
  /** `03:00`; of an hourly one only the minutes count. */
  time: string
  /** 0 is Sunday. */
  weekday: string
  day: string
  cron: string
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
/** Months without the 29th, 30th or 31st would be left out. */
const LAST_COMMON_DAY = 28
export const DAYS = Array.from({ length: LAST_COMMON_DAY }, (_, index) => String(index + 1))

export const cronOf = ({ every, time, weekday, day, cron }: Plan): string => {
  const [hours, minutes] = time.split(':').map(Number)
  if (every === 'hour') return `${minutes} * * * *`
  if (every === 'day') return `${minutes} ${hours} * * *`
  if (every === 'week') return `${minutes} ${hours} * * ${weekday}`
  if (every === 'month') return `${minutes} ${hours} ${day} * *`
  return cron.trim().replaceAll(/\s+/g, ' ')
}

const USUAL = /^(?<minutes>\d{1,2}) (?<hours>\d{1,2}|\*) (?<day>\d{1,2}|\*) \* (?<weekday>[0-6]|\*)$/

export const planOf = (cron: string): Plan => {
  const { minutes = '0', hours = '3', day = '*', weekday = '*' } = USUAL.exec(cron)?.groups ?? {}
  const time = `${(hours === '*' ? '3' : hours).padStart(2, '0')}:${minutes.padStart(2, '0')}`
  const plan = { time, weekday: weekday === '*' ? '1' : weekday, day: day === '*' ? '1' : day, cron }
  for (const every of ['hour', 'day', 'week', 'month'] as const)
    if (cronOf({ ...plan, every }) === cron) return { ...plan, every }
  return { ...plan, every: 'custom' }
}
