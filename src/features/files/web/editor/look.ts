import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const LINE = '1px solid var(--fp-line)'
const field = {
  border: LINE,
  borderRadius: 'var(--mantine-radius-sm)',
  backgroundColor: 'var(--mantine-color-body)',
  backgroundImage: 'none',
  color: 'var(--mantine-color-text)',
}

/** Only colors of the panel, which change with its theme. */
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--mantine-color-text)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.5' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--mantine-color-text)' },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-gutters': { border: '0', borderRight: LINE, background: 'transparent', color: 'var(--mantine-color-dimmed)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.75rem' },
  '.cm-activeLineGutter': { background: 'transparent', color: 'var(--mantine-color-text)' },
  '.cm-mistake': { boxShadow: 'inset 3px 0 var(--fp-bad)', textDecoration: 'underline wavy var(--fp-bad)' },
  '.cm-explanation': {
    padding: '0.25rem 0.75rem',
    borderLeft: '3px solid var(--fp-bad)',
    background: 'var(--mantine-color-red-light)',
    color: 'var(--mantine-color-text)',
    fontFamily: 'var(--mantine-font-family)',
    whiteSpace: 'pre-wrap',
  },
  '.cm-panels': { background: 'var(--fp-page)', color: 'var(--mantine-color-text)' },
  '.cm-panels.cm-panels-top': { borderBottom: LINE },
  '.cm-textfield': field,
  '.cm-button': field,
  '.cm-searchMatch': { background: 'transparent', outline: '1px solid var(--fp-warning)' },
  '.cm-searchMatch-selected': { background: 'transparent', outline: '2px solid var(--fp-warning)' },
  '&.cm-focused .cm-matchingBracket': { background: 'transparent', outline: '1px solid var(--fp-idle)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'transparent', outline: '1px solid var(--fp-bad)' },
})

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.processingInstruction], color: 'var(--mantine-color-anchor)' },
  { tag: [tags.string, tags.regexp, tags.attributeValue, tags.special(tags.string)], color: 'var(--fp-good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.color, tags.unit], color: 'var(--fp-warning)' },
  { tag: [tags.attributeName, tags.className], color: 'var(--mantine-color-orange-light-color)' },
  { tag: tags.meta, color: 'var(--mantine-color-dimmed)' },
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
  { tag: tags.definition(tags.function(tags.variableName)), fontWeight: '600' },
])

export const look: Extension = [theme, syntaxHighlighting(colors)]
