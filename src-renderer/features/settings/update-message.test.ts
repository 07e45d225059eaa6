import { describe, expect, it } from 'vitest'

import { updateMessage } from './maintenance'

const version = { version: '1.1.0', notes: '' }

describe('D8: message of an update', () => {
  it.each([
    [{ kind: 'idle' } as const, ''],
    [{ kind: 'current', checkedAt: 0 } as const, 'Patchbay is up to date.'],
    [{ kind: 'available', ...version } as const, 'Version 1.1.0 is available.'],
    [
      { kind: 'available', ...version, command: 'brew upgrade' } as const,
      'Version 1.1.0 is available. To install, quit Patchbay and run this command:',
    ],
    [{ kind: 'downloading', ...version, percent: 7 } as const, 'Downloading version 1.1.0: 7%.'],
    [
      { kind: 'ready', ...version } as const,
      'Version 1.1.0 is ready. Patchbay installs the update when you quit.',
    ],
    [
      { kind: 'failed', message: 'It is cut.', hint: 'Try again.', checkedAt: 0 } as const,
      'It is cut. Try again.',
    ],
  ])('matches the state %j', (update, message) => {
    expect(updateMessage(update)).toBe(message)
  })
})
