import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { HOST_APPS } from '../../../src-main/core/apps/apps/host-apps'
import type { HostFile } from '../../../src-shared/domain/agents/host'
import { type Harness, Harnesses } from '../../fixtures/harness'

const desks = new Harnesses()
/** What somebody else has in a file already. */
const TEXTS = {
  json: '{\n\t"theirs": { "a": [1, 2] }\n}\n',
  jsonc: '{\n\t// mine\n\t"theirs": { "a": [1, 2], },\n}\n',
  toml: '# mine\nmodel = "x"\n\n[theirs]\na = [1, 2]\n',
  yaml: '# mine\ntheirs:\n    a: [1, 2]\n',
} as const

afterEach(() => desks.closeAll())

async function fileOf(harness: Harness, hostId: string): Promise<HostFile> {
  await harness.call('hosts.look', {})
  const { hosts } = await harness.call('app.snapshot', {})
  const file = hosts.hosts.find((host) => host.hostId === hostId)?.files[0]
  if (!file) throw new Error(`${hostId} has no file`)
  return file
}

async function connect(harness: Harness, fileId: string, agentId?: string): Promise<string> {
  const agent =
    agentId === undefined
      ? ({ kind: 'new', name: 'App' } as const)
      : ({ kind: 'known', agentId } as const)
  const { seen, obstacle } = await harness.call('hosts.previewConnect', { fileId, agent })
  expect(obstacle).toBeUndefined()
  return (await harness.call('hosts.connect', { fileId, agent, seen })).agentId
}

async function disconnect(harness: Harness, fileId: string): Promise<void> {
  const ref = { fileId, entryName: 'patchbay' }
  const { seen } = await harness.call('hosts.previewDisconnect', ref)
  await harness.call('hosts.disconnect', { ...ref, removesAgent: true, seen })
}

describe('D6 every app that is known', () => {
  it.each(HOST_APPS.map(({ hostId, list }) => ({ hostId, list })))(
    'is connected, mended and disconnected, and its file is as before: $hostId',
    async ({ hostId, list }) => {
      const harness = desks.open()
      const { fileId, path } = await fileOf(harness, hostId)
      const states = async (): Promise<string[]> =>
        (await fileOf(harness, hostId)).connections.map(({ state }) => state)
      await connect(harness, fileId)
      expect(await states()).toEqual(['asWritten'])
      await disconnect(harness, fileId)
      expect(existsSync(path), 'a file that was made for the entry').toBe(false)

      const text = TEXTS[list.syntax]
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      const agentId = await connect(harness, fileId)
      expect(await states()).toEqual(['asWritten'])
      const connected = readFileSync(path, 'utf8')
      writeFileSync(path, connected.replace('bridge', 'brigde'))
      expect(await states()).toEqual(['edited'])
      await connect(harness, fileId, agentId)
      expect(await states()).toEqual(['asWritten'])
      await disconnect(harness, fileId)
      expect(readFileSync(path, 'utf8')).toBe(text)
      expect(await states()).toEqual([])
    },
  )
})
