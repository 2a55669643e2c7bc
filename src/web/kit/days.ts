/** A day as the browser's field writes it, to the moment it begins here. */
export const startOfDay = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return day === '' ? '' : String(new Date(year, month - 1, date + daysLater).getTime())
}

/** The other way round. */
export const dayOf = (unixMs: string, daysEarlier = 0): string => {
  const at = new Date(Number(unixMs))
  if (unixMs === '' || Number.isNaN(at.getTime())) return ''
  at.setDate(at.getDate() - daysEarlier)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
