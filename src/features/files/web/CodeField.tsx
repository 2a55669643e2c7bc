import { type KeyboardEvent, type UIEvent, useEffect, useRef } from 'react'
import classes from './Editor.module.css'
import { lineRange } from './file-text.ts'

const LINE_REM = 1.21875

interface CodeFieldProps {
  label: string
  value: string
  /** The line that was refused. */
  wrongLine: number | undefined
  onChange: (value: string) => void
  onSave: () => void
}

/** Text with line numbers. Tab leaves the field, as everywhere; Ctrl+S saves. */
export const CodeField = ({ label, value, wrongLine, onChange, onSave }: CodeFieldProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const element = field.current
    if (wrongLine === undefined || !element) return
    element.focus()
    element.setSelectionRange(...lineRange(element.value, wrongLine))
    const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    element.scrollTop = Math.max(0, (wrongLine - 5) * LINE_REM * rootPx)
  }, [wrongLine])
  const onScroll = (event: UIEvent) => {
    if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSave()
  }
  const lines = value.split('\n').length
  return (
    <div className={classes.sheet}>
      <pre ref={numbers} className={classes.numbers} aria-hidden="true">
        {Array.from({ length: lines }, (_, at) => at + 1).join('\n')}
      </pre>
      <textarea
        ref={field}
        className={classes.text}
        aria-label={label}
        aria-invalid={wrongLine !== undefined}
        wrap="off"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        {...{ onScroll, onKeyDown }}
      />
    </div>
  )
}
