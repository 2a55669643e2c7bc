import { css } from '@codemirror/lang-css'
import { html } from '@codemirror/lang-html'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { php } from '@codemirror/lang-php'
import type { LanguageSupport } from '@codemirror/language'

const languages: Readonly<Record<string, () => LanguageSupport>> = {
  php,
  phtml: php,
  inc: php,
  html,
  htm: html,
  css,
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: () => javascript({ jsx: true }),
  ts: () => javascript({ typescript: true }),
  tsx: () => javascript({ jsx: true, typescript: true }),
  json,
  map: json,
  webmanifest: json,
}

/** What a file is written in, by its name; undefined for plain text. */
export const languageOf = (name: string): LanguageSupport | undefined => {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(languages, ending) ? languages[ending]?.() : undefined
}
