/** Who wants a start: a person, the app as it opens, a call of a tool or the like, or nobody but the recovery. */
export type StartOrigin = 'person' | 'app' | 'call' | 'itself'

const WORDS: Readonly<Record<StartOrigin, string>> = {
  person: 'by you',
  app: 'at app start',
  call: 'for a call',
  itself: 'automatically',
}

/** The line of the log that a start begins with; `changed` where a person's start brings what was changed since the last one into use. */
export function startLine(count: number, requestOrigin: StartOrigin, changed: boolean): string {
  const who = requestOrigin === 'person' && changed ? 'after a change' : WORDS[requestOrigin]
  return `Start ${String(count)}, ${who}`
}
