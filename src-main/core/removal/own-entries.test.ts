import { describe, expect, it } from 'vitest'

import type { HostChange, HostConnection, HostsState } from '../../../src-shared/domain/agents/host'
import { AppError } from '../../../src-shared/domain/app-error'
import { entriesThatStay, type HostFiles, itemsOfEntries, removeEntries } from './own-entries'

const PATH = '/home/ann/.cursor/mcp.json'
const FILE = `cursor:${PATH}`

function changeOf(changeId: string, kind: HostChange['kind']): HostChange {
  return { changeId, kind, fileId: FILE, path: PATH, entryNames: ['a', 'b'], at: 0 }
}

/** In-memory app files; `takesBack` names the failing steps. */
function filesWith(options: {
  readonly changes?: HostChange[]
  readonly written?: string[]
  readonly foreign?: string[]
  readonly replaced?: string[]
  readonly onStep: (step: string) => void
}): HostFiles {
  const { foreign = [], replaced = [] } = options
  const connections: HostConnection[] = [
    ...foreign.map((entryName) => ({ fileId: FILE, entryName, state: 'foreign' as const })),
    ...replaced.map((entryName) => ({
      ...{ fileId: FILE, entryName, state: 'edited' as const, isReplaced: true },
    })),
  ]
  const file = {
    ...{ fileId: FILE, scope: 'user', path: PATH, sharedWith: [], connections },
    state: { kind: 'read', servers: 1, isReadOnly: false },
  } satisfies HostsState['hosts'][number]['files'][number]
  const host = { hostId: 'cursor', name: 'Cursor', isHere: true, reload: '', files: [file] }
  const step = (text: string): Promise<void> => Promise.resolve().then(() => options.onStep(text))
  return {
    state: () => ({ isRead: true, hosts: [host], folders: [], changes: options.changes ?? [] }),
    refresh: () => Promise.resolve(),
    undo: (changeId) => step(`undo ${changeId}`),
    putBack: (changeId) => step(`put back ${changeId}`),
    written: () =>
      (options.written ?? []).map((entryName) => ({
        ...{ fileId: FILE, entryName, hostName: 'Cursor', path: PATH },
      })),
    removeEntry: (_fileId, entryName) => step(`take out ${entryName}`),
  }
}

describe('D6: entries that Patchbay wrote into app files', () => {
  it('are listed together with turned-off servers, without foreign entries', () => {
    const changes = [changeOf('2', 'connect'), changeOf('1', 'switchOff')]
    const onStep = (): never => {
      throw new Error('nothing is to be changed')
    }
    const files = filesWith({ changes, written: ['patchbay'], foreign: ['old'], onStep })
    expect(itemsOfEntries(files).map(({ kind, label, place }) => [kind, label, place])).toEqual([
      ['hostEntry', 'Entry patchbay of Cursor', PATH],
      ['hostEntry', 'Turned-off servers of Cursor: a, b', PATH],
    ])
    expect(entriesThatStay(files).map(({ label }) => label)).toEqual(['Entry old of Cursor'])
  })

  it('are removed, and servers are turned on again, individually if the file has changed', async () => {
    const steps: string[] = []
    const onStep = (step: string): void => {
      steps.push(step)
      if (step === 'undo 1') throw new AppError('HOST_FILE_CHANGED', 'Not as it was.')
    }
    const changes = [changeOf('2', 'switchOff'), changeOf('1', 'switchOff')]
    const outcome = await removeEntries(filesWith({ changes, written: ['patchbay'], onStep }))
    expect(steps).toEqual(['undo 2', 'undo 1', 'take out patchbay', 'put back 1'])
    expect(outcome).toMatchObject({ left: [], owes: false })
    expect(outcome.removed).toHaveLength(3)
  })

  it("report owed secrets if a server can't be turned on again", async () => {
    const onStep = (step: string): void => {
      if (step.startsWith('undo') || step.startsWith('put back'))
        throw new AppError('HOST_FILE_UNWRITABLE', 'The file is read-only.')
    }
    const changes = [changeOf('1', 'switchOff')]
    const outcome = await removeEntries(filesWith({ changes, written: ['patchbay'], onStep }))
    expect(outcome).toMatchObject({ removed: ['Entry patchbay of Cursor'], owes: true })
    expect(outcome.left.map(({ reason }) => reason)).toEqual(['The file is read-only.'])
  })

  it("are all left if the app files can't be read", async () => {
    const onStep = (): never => {
      throw new Error('nothing is to be changed')
    }
    const files = filesWith({ written: ['patchbay'], onStep })
    const look = (): Promise<void> => Promise.reject(new Error('The disk is full'))
    const outcome = await removeEntries({ ...files, refresh: look })
    expect(outcome).toMatchObject({ removed: [], owes: true })
    expect(outcome.left.map(({ reason }) => reason)).toEqual(['The disk is full.'])
  })

  it('are kept and reported if another server has replaced them', async () => {
    const steps: string[] = []
    const onStep = (step: string): void => void steps.push(step)
    const files = filesWith({ written: ['mine', 'patchbay'], replaced: ['mine'], onStep })
    expect(itemsOfEntries(files).map(({ label }) => label)).toEqual(['Entry patchbay of Cursor'])
    expect(entriesThatStay(files)).toEqual([
      {
        label: 'Entry mine of Cursor',
        reason: `Patchbay wrote this entry, but it now points elsewhere. Delete it in ${PATH} if you don’t need it.`,
      },
    ])
    expect((await removeEntries(files)).removed).toEqual(['Entry patchbay of Cursor'])
    expect(steps).toEqual(['take out patchbay'])
  })

  it('are reported with reason and advice if a file is read-only, and the others are removed', async () => {
    const onStep = (step: string): void => {
      if (step === 'take out one')
        throw new AppError('HOST_FILE_UNWRITABLE', 'The file is read-only.', {
          hint: 'Make it writable.',
        })
    }
    const outcome = await removeEntries(filesWith({ written: ['one', 'two'], onStep }))
    expect(outcome).toEqual({
      ...{ removed: ['Entry two of Cursor'], owes: false },
      left: [
        {
          label: 'Entry one of Cursor',
          place: PATH,
          reason: 'The file is read-only. Make it writable.',
        },
      ],
    })
  })
})
