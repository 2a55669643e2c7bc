/** A word or phrase that is not used, and what to write instead. docs/words.md is the house style. */
export interface UnusedWord {
  pattern: RegExp
  use: string
}

const word = (source: string, use: string): UnusedWord => ({ pattern: new RegExp(`\\b(?:${source})\\b`, 'i'), use })

/** Not used anywhere: screens, command line, logs, docs, test names, comments. */
export const UNUSED_WORDS: readonly UnusedWord[] = [
  word('mend(?:s|ed|ing)?', 'fix, repair'),
  word('anew', 'again, or recreate'),
  word('whoever', 'anyone, everyone'),
  word('nobody', 'no one'),
  word('somebody', 'someone'),
  word('everybody', 'everyone'),
  word('besides?', 'next to, with, apart from'),
  word('meanwhile', 'in the meantime'),
  word('thr(?:ow|ows|own|owing) away', 'delete'),
  word('put(?:s|ting)? back', 'roll back, restore, discard'),
  word('tak(?:e|es|en|ing) away', 'delete, remove'),
  word('let(?:s|ting)? go of', 'release, remove'),
  word('go(?:es)? on(?! (?:a|an|the)\\b)|went on', 'continue'),
  word('in force', 'current, in effect'),
  word('to be had', 'available'),
  word('foresaw|foreseen', 'unexpected'),
  word('lead(?:s|ing)? (?:to nowhere|nowhere|here|elsewhere)|(?:DNS|names?|records?) leads?', 'resolve, point to'),
  word('(?:make|made|makes|making) ready', 'set up'),
  word('unwell|(?:is|are) well', 'unhealthy, healthy'),
  word('all the same', 'anyway'),
  word('the present (?:policy|version|one|step|state)', 'the current …'),
  word('e-mails?', 'email'),
  word('as a visitor would', 'check that the site responds'),
  word('last heard of', 'last seen'),
  word('stand(?:s|ing)? still for', 'wait for'),
]

/** Not used on screens. In code they have their place, such as `chosen` for what is selected. */
export const UNUSED_ON_SCREENS: readonly UnusedWord[] = [
  word('not now|leave it as it is', 'Cancel'),
  word('chosen|choose none', 'selected, Clear'),
  word('look(?:s|ed|ing)? (?:at|into)', 'check'),
  word('(?:no|none|nothing|what) fits', 'No matching …'),
  word('runs for', 'Uptime, Running for'),
  word('calls itself|is called', 'Hostname, named'),
  word('ask again|asked of|asked for', 'Refresh, requested'),
  word('(?:is|are) away', 'offline, unreachable'),
  word('as (?:it|they) should be', 'OK, unchanged'),
  word('for good|for ever|forever', 'permanently'),
  word('cannot', "can't"),
]

/** A sentence on a screen has at most this many words. */
export const MAX_WORDS = 25
