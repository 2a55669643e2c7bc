const LINE_MAX = 8_192
const TEXT_MAX = 16_384

/** Direction overrides and characters no one sees. */
export const DECEIVING = /[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
const CONTROLS_BUT_LINES = /(?![\t\n])\p{Cc}/gu
const spelledOut = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Terminal control, direction overrides and lone surrogates from a server must not reach a person's screen. */
export const cleanText = (text: string, longest: number = TEXT_MAX): string =>
  text.toWellFormed().replace(CONTROLS_BUT_LINES, '\ufffd').replace(DECEIVING, '\ufffd').slice(0, longest)

/** The same for what stays on one line. */
export const cleanLine = (text: string, longest: number = LINE_MAX): string =>
  cleanText(text.replace(/\r?\n/g, ' '), longest)

/** The same JSON, with every such character spelled out. */
export const cleanJson = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, spelledOut).replace(DECEIVING, spelledOut)
