import { describe, expect, it } from 'vitest'

import { StartTimeline } from './server-start'

describe('A8: the note of a step', () => {
  it('is what the running step waits for, and what it was before once that is over', async () => {
    const notes: (string | undefined)[] = []
    const track = new StartTimeline(new AbortController().signal, (_phase, records) =>
      notes.push(records.at(-1)?.note),
    )
    await track.run(
      'discover',
      60_000,
      () => {
        track.note('rate limited, next try in 8 s')
        return Promise.resolve()
      },
      { note: 'downloaded' },
    )
    track.note('too late')
    expect(notes).toEqual(['downloaded', 'rate limited, next try in 8 s', 'downloaded'])
  })
})
