import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { memoryBackend } from '../secrets/secret-vault'
import type { HostFiles } from './own-entries'
import { ProfileFolder } from './profile-folder'
import { ProfileSecrets } from './profile-secrets'
import { Removal } from './removal'
import { RequestGate } from './request-gate'

const APPS: HostFiles = {
  state: () => ({ isRead: true, hosts: [], folders: [], changes: [] }),
  refresh: () => Promise.resolve(),
  undo: () => Promise.resolve(),
  putBack: () => Promise.resolve(),
  written: () => [],
  removeEntry: () => Promise.resolve(),
}

/** Removes a profile that no app file leads to. */
function removalOf(path: string, close = (): Promise<void> => Promise.resolve()): Removal {
  const vault = {
    ...memoryBackend(),
    state: { kind: 'keychain' } as const,
    ready: Promise.resolve(),
  }
  const owners = {
    ...{ installations: [], stored: [], registries: new Map(), agents: new Map() },
    texts: { settings: [], agents: [], hosts: [] },
  }
  return new Removal({
    ...{ apps: APPS, folder: new ProfileFolder(path), gate: new RequestGate(), close },
    secrets: new ProfileSecrets({ vault, owners: () => Promise.resolve(owners) }),
    wayIn: 'browser',
  })
}

describe('D6: removing everything from this computer', () => {
  it('names servers that did not stop, and deletes the files anyway', async () => {
    const path = tempFolder('profile')
    writeFileSync(join(path, 'settings.json'), '{}')
    const close = (): Promise<void> => Promise.reject(new Error('Two processes still run.'))
    expect(await removalOf(path, close).remove()).toEqual({
      removed: ['Settings and servers'],
      left: [
        {
          label: 'Running servers',
          place: 'This computer',
          reason:
            'Some servers did not stop: Two processes still run. Look for them in the process list.',
        },
      ],
    })
    expect(existsSync(join(path, 'settings.json'))).toBe(false)
  })

  it("names the profile folder if it can't be read, and removes it at the next attempt", async () => {
    const place = tempFolder('profile')
    const path = join(place, 'profile')
    writeFileSync(path, 'a file where the folder should be')
    const removal = removalOf(path)
    const { removed, left } = await removal.remove()
    expect(removed).toEqual([])
    expect(left).toEqual([
      {
        label: 'Profile folder',
        place: path,
        reason: expect.stringMatching(
          /^This item couldn’t be deleted \(ENOTDIR: [^.]+\)\. Check that you can write to it, or delete it yourself\.$/u,
        ) as string,
      },
    ])
    rmSync(path)
    mkdirSync(path)
    writeFileSync(join(path, 'settings.json'), '{}')
    expect(await removal.remove()).toEqual({ removed: ['Settings and servers'], left: [] })
  })

  it.skipIf(process.platform === 'win32')(
    'lists the target of a link among what stays',
    async () => {
      const path = tempFolder('profile')
      const elsewhere = tempFolder('elsewhere')
      symlinkSync(elsewhere, join(path, 'logs'))
      const { stays } = await removalOf(path).read()
      expect(stays).toContainEqual({
        label: elsewhere,
        reason: `${join(path, 'logs')} is a link. Only the link is deleted, not its target.`,
      })
    },
  )
})
