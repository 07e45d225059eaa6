import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { resolveCommand } from './resolve-command'

function folderWith(name: string, mode = 0o755): string {
  const folder = tempFolder('path')
  writeFileSync(join(folder, name), '#!/bin/sh\n')
  chmodSync(join(folder, name), mode)
  return folder
}

describe('A5: a command', () => {
  it('is the first program of its name, not a folder or a non-executable file', async () => {
    const asFolder = tempFolder('path')
    mkdirSync(join(asFolder, 'tool'))
    const [plain, first, second] = [
      folderWith('tool', 0o644),
      folderWith('tool'),
      folderWith('tool'),
    ]
    const path = [asFolder, plain, first, second].join(':')
    const found = await resolveCommand('tool', { path, platform: 'linux' })
    expect(found).toEqual({ kind: 'found', file: join(first, 'tool') })
  })

  it.each(['constructor', '__proto__', 'npx'])(
    'that is missing reports the searched folders, even %s',
    async (name) => {
      const found = await resolveCommand(name, { path: '/nowhere::.:/nowhere', platform: 'linux' })
      expect(found).toEqual({ kind: 'missing', lookedIn: ['/nowhere'] })
    },
  )

  it('never leaves the folders of the PATH', async () => {
    const folder = folderWith('tool')
    const found = await resolveCommand(`../${folder.split('/').at(-1) ?? ''}/tool`, {
      path: folder,
      platform: 'linux',
    })
    expect(found.kind).toBe('missing')
  })
})
