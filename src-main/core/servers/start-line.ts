/** Who wants a start: a person, the app as it opens, a call of a tool or the like, or nobody but the recovery. */
export type StartAsker = 'person' | 'app' | 'call' | 'itself'

const WORDS: Readonly<Record<StartAsker, string>> = {
  person: 'by you',
  app: 'at app start',
  call: 'for a call',
  itself: 'automatically',
}

/** The line of the log that a start begins with; `changed` where a person's start brings what was changed since the last one into use. */
export function startLine(count: number, asker: StartAsker, changed: boolean): string {
  const who = asker === 'person' && changed ? 'after a change' : WORDS[asker]
  return `Start ${String(count)}, ${who}`
}
