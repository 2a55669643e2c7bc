import type { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import classes from '../Editor.module.css'
import { type Mistake, showMistake } from './mistake.ts'
import { openEditor, replaceText } from './open-editor.ts'

interface CodeFieldProps {
  /** The name of the file, which says the language, too. */
  name: string
  value: string
  /** What was refused, and where; a new object for every refusal. */
  mistake: Mistake | undefined
  onChange: (value: string) => void
  onSave: () => void
}

/** Text with line numbers and colors. Tab leaves the field, as everywhere; Ctrl+S saves, Ctrl+F searches. */
export const CodeField = ({ name, value, mistake, onChange, onSave }: CodeFieldProps) => {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const heard = useRef({ value, onChange, onSave })
  useEffect(() => {
    heard.current = { value, onChange, onSave }
  })
  useEffect(() => {
    if (!box.current) return undefined
    const opened = openEditor(box.current, {
      name,
      text: heard.current.value,
      onChange: text => heard.current.onChange(text),
      onSave: () => heard.current.onSave(),
    })
    view.current = opened
    return () => opened.destroy()
  }, [name])
  useEffect(() => {
    if (view.current) replaceText(view.current, value)
  }, [value])
  useEffect(() => {
    if (view.current) showMistake(view.current, mistake)
  }, [mistake])
  return <div ref={box} className={classes.sheet} />
}
