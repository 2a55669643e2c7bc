import { TextInput, type TextInputProps } from '@mantine/core'
import { useRef, useState } from 'react'

interface SettledInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  /** Called once the person pauses, so that the panel is not asked for every letter. */
  onSettle: (value: string) => void
}

const PAUSE_MS = 200

/** A field whose text lives elsewhere, mostly in the address: searches and filters. */
export const SettledInput = ({ value, onSettle, ...props }: SettledInputProps) => {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  // The address follows a moment later, which must not take back what was typed in the meantime: only what no one sent from here
  // was changed from outside, by a reset or the back button.
  if (value !== seen) {
    setSeen(value)
    if (value !== sent) {
      setSent(value)
      setTyped(value)
    }
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const onType = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setSent(text)
      onSettle(text)
    }, PAUSE_MS)
  }
  return <TextInput {...props} value={typed} onChange={event => onType(event.currentTarget.value)} />
}
