import type { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import classes from '../Editor.module.css'
import { type Mistake, replaceText, showMistake } from './mistake.ts'
import { openEditor } from './open-editor.ts'

/** What the field begins with. A new one replaces what was written since. */
export interface Start {
  readonly text: string
}

interface CodeFieldProps {
  /** The name of the file, which says the language, too. */
  name: string
  start: Start
  /** What was refused, and where; a new object for every refusal. */
  mistake: Mistake | undefined
  onChange: (text: string) => void
  onSave: () => void
}

/**
 * Text with line numbers and colors. Tab leaves the field, as everywhere; Ctrl+S saves, Ctrl+F searches. The editor holds
 * the text: one that came back with every key would undo the next one.
 */
export const CodeField = ({ name, start, mistake, onChange, onSave }: CodeFieldProps) => {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const heard = useRef({ start, onChange, onSave })
  useEffect(() => {
    heard.current = { start, onChange, onSave }
  })
  useEffect(() => {
    if (!box.current) return undefined
    const opened = openEditor(box.current, {
      name,
      text: heard.current.start.text,
      onChange: text => heard.current.onChange(text),
      onSave: () => heard.current.onSave(),
    })
    view.current = opened
    return () => opened.destroy()
  }, [name])
  useEffect(() => {
    if (view.current) replaceText(view.current, start.text)
  }, [start])
  useEffect(() => {
    if (view.current) showMistake(view.current, mistake)
  }, [mistake])
  return <div ref={box} className={classes.sheet} />
}
