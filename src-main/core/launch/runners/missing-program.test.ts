import { describe, expect, it } from 'vitest'

import { missingText } from './missing-program'

const text = (command: string): string => {
  const { message, hint } = missingText(command, { kind: 'missing', lookedIn: ['/usr/bin'] })
  return `${message} ${hint}`
}

describe.skipIf(process.platform === 'win32')(
  "E15: a command that isn't a program of this computer",
  () => {
    it.each([
      [
        '~/bin/launch-srv',
        '~/bin/launch-srv begins with “~”, which isn’t replaced here. Enter the full path, then start again.',
      ],
      [
        './bin/srv',
        './bin/srv is a relative path. Enter the full path of the program, then start again.',
      ],
      [
        String.raw`bin\srv`,
        String.raw`bin\srv is a relative path. Enter the full path of the program, then start again.`,
      ],
      [
        'npx -y @acme/mcp@1.0.0',
        'npx -y @acme/mcp@1.0.0 is a whole command line, not a program. Enter npx as the command and the rest as its arguments, then start again.',
      ],
      ['npx.cmd', 'npx.cmd is a program of Windows. Enter npx instead, then start again.'],
      [
        'cmd',
        'cmd is a program of Windows. Enter what follows “/c” as the command, then start again.',
      ],
      [
        String.raw`C:\Program Files\nodejs\npx.cmd`,
        String.raw`C:\Program Files\nodejs\npx.cmd is a path of Windows. Enter the command as it is on this computer, then start again.`,
      ],
    ])('is described without advice to install it: %s', (command, wanted) => {
      expect(text(command)).toBe(wanted)
    })

    it('can be installed only if it is a plain name', () => {
      expect(text('acme-mcp')).toBe(
        'acme-mcp was not found on this computer. Install acme-mcp, or add its folder to PATH, then start again.',
      )
    })
  },
)
