import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { languageOf } from './language-of.ts'
import { look } from './look.ts'
import { mistakes } from './mistake.ts'

const TAB_SIZE = 4

/** The editor's own words, as the panel writes them. */
const WORDS = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
})

interface Opened {
  readonly name: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onSave: () => void
}

const keysFor = ({ onSave }: Opened): Extension => {
  const save = () => {
    onSave()
    return true
  }
  return keymap.of([
    { key: 'Mod-s', run: save, preventDefault: true },
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ])
}

/** Left to itself, Chromium gives text that replaces other text its style in an attribute, which the page's policy refuses. */
const plainReplacement = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { state } = view
    if (inputType !== 'insertText' || data === null || view.composing) return false
    if (state.selection.main.empty && !data.includes('\n')) return false
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

const extensionsFor = (opened: Opened): Extension => [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  indentOnInput(),
  bracketMatching(),
  search({ top: true }),
  WORDS,
  EditorState.tabSize.of(TAB_SIZE),
  indentUnit.of('\t'),
  keysFor(opened),
  plainReplacement,
  languageOf(opened.name) ?? [],
  look,
  mistakes,
  EditorView.contentAttributes.of({ 'aria-label': opened.name, spellcheck: 'false' }),
  EditorView.updateListener.of(update => {
    if (update.docChanged) opened.onChange(update.state.doc.toString())
  }),
]

/** In a shadow root the editor adopts style sheets made by script; elsewhere it writes `<style>`, which the page's policy refuses. */
export const openEditor = (box: HTMLElement, opened: Opened): EditorView => {
  const root = box.shadowRoot ?? box.attachShadow({ mode: 'open' })
  const state = EditorState.create({ doc: opened.text, extensions: extensionsFor(opened) })
  return new EditorView({ state, parent: root, root })
}
