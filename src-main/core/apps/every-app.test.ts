import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { describe, expect, it } from 'vitest'

import { AppFilesHarness } from '../../../e2e/fixtures/app-files-harness'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import type { HostFile } from '../../../src-shared/domain/agents/host'
import { HOST_APPS } from './apps/host-apps'

/** What somebody else has in a file already. */
const TEXTS = {
  json: '{\n\t"theirs": { "a": [1, 2] }\n}\n',
  jsonc: '{\n\t// mine\n\t"theirs": { "a": [1, 2], },\n}\n',
  toml: '# mine\nmodel = "x"\n\n[theirs]\na = [1, 2]\n',
  yaml: '# mine\ntheirs:\n    a: [1, 2]\n',
} as const

describe('D6 every app that is known', () => {
  it.each(HOST_APPS.map((app) => ({ hostId: app.hostId, app })))(
    'is connected, repaired and disconnected, and its file is as before: $hostId',
    async ({ hostId, app }) => {
      const { harness, connector } = new AppFilesHarness(tempFolder('app'), undefined, {
        apps: [app],
      })
      const file = async (): Promise<HostFile> => {
        await harness.look()
        const found = harness.state.hosts[0]?.files[0]
        if (!found) throw new Error(`${hostId} has no file`)
        return found
      }
      const states = async (): Promise<string[]> =>
        (await file()).connections.map(({ state }) => state)
      const { fileId, path } = await file()
      const connect = async (agentId?: string): Promise<string> => {
        const agent =
          agentId === undefined
            ? ({ kind: 'new', name: 'App' } as const)
            : ({ kind: 'known', agentId } as const)
        const { seen, obstacle } = await connector.previewConnect({ fileId, agent })
        expect(obstacle).toBeUndefined()
        return (await connector.connect({ fileId, agent, seen })).agentId
      }
      const disconnect = async (): Promise<void> => {
        const entry = { fileId, entryName: 'patchbay' }
        const { seen } = await connector.previewDisconnect(entry)
        await connector.disconnect({ ...entry, removesAgent: true, seen })
      }

      await connect()
      expect(await states()).toEqual(['asWritten'])
      await disconnect()
      expect(existsSync(path), 'a file that was made for the entry').toBe(false)

      const text = TEXTS[app.list.syntax]
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      const agentId = await connect()
      expect(await states()).toEqual(['asWritten'])
      const connected = readFileSync(path, 'utf8')
      writeFileSync(path, connected.replace('bridge', 'brigde'))
      expect(await states()).toEqual(['edited'])
      await connect(agentId)
      expect(await states()).toEqual(['asWritten'])
      await disconnect()
      expect(readFileSync(path, 'utf8')).toBe(text)
      expect(await states()).toEqual([])
    },
  )
})
