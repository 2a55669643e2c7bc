import { Title, type TitleOrder } from '@mantine/core'
import { useEffect, useRef } from 'react'
import classes from './PageHeading.module.css'

/** As the document calls itself before a page names it. */
const PRODUCT = document.title

interface PageHeadingProps {
  title: string
  size?: TitleOrder
  /** For pages without a field to start in: readers hear where they are. */
  takesFocus?: boolean
}

/** The heading of a page, which names the window too. */
export const PageHeading = ({ title, size = 3, takesFocus = false }: PageHeadingProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`
  }, [title])
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <Title ref={heading} order={1} size={`h${size}`} tabIndex={-1} className={classes.heading ?? ''}>
      {title}
    </Title>
  )
}
