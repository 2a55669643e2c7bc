import { useEffect, useRef, useState } from 'react'

const REST_MS = 400

const watched = new WeakMap<Element, (isInView: boolean) => void>()

/** One for all: making one for each row would cost more than the row. */
const observer = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting)
})

/** Whether an element has stayed in the window for a moment: what only flies by while someone scrolls is left alone. */
export const useRestsInView = <E extends Element>() => {
  const ref = useRef<E>(null)
  const [rests, setRests] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || rests) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    watched.set(element, isInView => {
      clearTimeout(timer)
      if (isInView) timer = setTimeout(() => setRests(true), REST_MS)
    })
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.unobserve(element)
    }
  }, [rests])
  return { ref, rests }
}
