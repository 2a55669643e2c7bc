const LINE_MAX = 8_192

/** Terminal control, direction overrides and lone surrogates from a server must not reach a person's screen. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

export const cleanLine = (text: string, longest: number = LINE_MAX): string =>
  text.toWellFormed().replace(unsafe, '\ufffd').slice(0, longest)
