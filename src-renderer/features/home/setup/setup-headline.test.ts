import { describe, expect, it } from 'vitest'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { setupHeadline } from './setup-guide'

const ready = { status: { kind: 'ready' } } as const
const starting = { status: { kind: 'starting', phase: 'install' } } as const
const failed: Pick<ServerView, 'status'> = {
  status: { kind: 'error', code: 'SERVER_EXITED', message: 'No.', stderrTail: [], fields: [] },
}

describe('D6: headline of the setup guide', () => {
  it('says what Patchbay is for while there is no server', () => {
    expect(setupHeadline([], []).headline).toBe('Add servers once, use them in every app')
  })

  it('suggests an app once there are servers, and counts them by status', () => {
    expect(setupHeadline([ready, ready, starting, failed], [])).toEqual({
      headline: 'Now connect an app',
      lead: '2 servers are ready, 1 is starting, and 1 needs attention.',
    })
  })

  it('ends with the tools that the first app sees', () => {
    const cursor = { name: 'Cursor', exposed: 14 }
    expect(setupHeadline([ready], [cursor])).toEqual({
      headline: 'Cursor sees 14 tools',
      lead: '1 server is ready.',
    })
  })
})
