import { useEffect, useRef, useState } from 'react'

/** Drawn above and below what is in sight, so that fast scrolling shows no gap. */
const SPARE = 8
/** The range moves in steps, so that most scrolling draws nothing again. */
const STEP = 4
const FIRST_LOOK = 40

/** As the table's stylesheet says it. */
export const ROW_REM = 3.5

const rowHeight = () => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

const rangeIn = (top: number, count: number) => {
  const height = rowHeight()
  const above = Math.floor(-top / height)
  const below = Math.ceil((window.innerHeight - top) / height)
  const first = Math.max(0, Math.floor((above - SPARE) / STEP) * STEP)
  const last = Math.min(count, Math.ceil((below + SPARE) / STEP) * STEP)
  return { first: Math.min(first, count), last: Math.max(last, Math.min(first, count)) }
}

/** Which of many rows of the same height are near the window; the others are only kept room for. */
export const useVisibleRows = (count: number) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const [range, setRange] = useState({ first: 0, last: FIRST_LOOK })
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      if (!body.current) return
      const next = rangeIn(body.current.getBoundingClientRect().top, count)
      setRange(before => (before.first === next.first && before.last === next.last ? before : next))
    }
    const lookSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(look)
    }
    look()
    window.addEventListener('scroll', lookSoon, { passive: true })
    window.addEventListener('resize', lookSoon)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', lookSoon)
      window.removeEventListener('resize', lookSoon)
    }
  }, [count])
  return { body, first: Math.min(range.first, count), last: Math.min(range.last, count) }
}
