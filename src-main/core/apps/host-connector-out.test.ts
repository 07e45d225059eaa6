import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { AppFilesHarness } from '../../../e2e/fixtures/app-files-harness'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { editCustomServer, openTwo, TWO_TEXT } from '../../../e2e/fixtures/two-file'
import { HOST_APPS } from './apps/host-apps'

describe('D6: disconnecting an app', () => {
  it('restores the file from before the connection, whatever it contained', async () => {
    const { bench, path, fileId } = openTwo()
    await bench.connect(fileId, 'Two')
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
    expect(await bench.states('two')).toEqual([])
    expect(bench.agents.agents).toHaveLength(1)
  })

  it.each([
    '{}',
    '{}\n',
    '{\n  "x": 1\n}\n',
    '{"app":{}}',
    '{"app":{"y":[1]}}',
    '{"app":{"servers":{}}}',
  ])('removes a list that was created for the entry: %s', async (text) => {
    const { bench, path, fileId } = openTwo(text)
    await bench.connect(fileId, 'Two')
    await bench.disconnect(fileId)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(text))
  })

  it.each([
    ...['', '\n\n', '{ }', '{\n}\n', 'null', '// mine\n', '{ /* mine */ }', '{\n  // mine\n}\n'],
    ...['{"app":null}', '{"app": {\n}}', '{"app":{"servers":null}}', '{"app":{"servers":{ }}}'],
    ...[
      '{\n "app": {\n  "servers": {\n   // mine\n  },\n },\n}',
      '\uFEFF{\r\n "app":\r\n  null\r\n}',
    ],
  ])('restores the spelling of an empty list: %j', async (text) => {
    const { bench, path, fileId } = openTwo(text)
    await bench.connect(fileId, 'Two')
    expect(readFileSync(path, 'utf8')).not.toBe(text)
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('restores the spelling of an empty list after other changes', async () => {
    const { bench, path, fileId } = openTwo('{"app":{"servers":null},"x":1}')
    await bench.connect(fileId, 'Two')
    editCustomServer(path, '"x":1', '"x":2')
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toBe('{"app":{"servers":null},"x":2}')
  })

  it.each([
    ...[
      'extensions:\n',
      'extensions: # none\nx: 1',
      'extensions: ~\n',
      'a: 1\nextensions: null # n\n',
    ],
    ...[
      'extensions: {}\n',
      'extensions: { } # none\n',
      'extensions: {\n  # none\n}\n',
      '{ extensions: }\n',
    ],
    ...[
      'extensions:\n  # later\n\nx: 1\n',
      'extensions:\r\n  {}\r\n',
      '{ extensions: {}, b: 1 }',
      '{ }\n',
    ],
    ...['', '# mine\n', '---\n', '{extensions}', 'extensions: # none\n  # more\n  {}\nx: 1\n'],
  ])("restores the spelling of Goose's empty list: %j", async (text) => {
    const bench = new AppFilesHarness(tempFolder('hosts'), undefined, { apps: HOST_APPS })
    const path = bench.write('.config/goose/config.yaml', text)
    const fileId = bench.fileId('goose', '.config/goose/config.yaml')
    await bench.connect(fileId, 'Goose')
    expect(readFileSync(path, 'utf8')).toContain('cmd: /opt/patchbay')
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it.each([
    ...['', '\n', '# mine\n', 'a = 1', '[mcp_servers]\n', '[mcp_servers] # mine\n\n[b]\nc = 1\n'],
    ...['mcp_servers = {}\n', 'mcp_servers = { } # mine\n', 'mcp_servers = {\n  # mine\n}\n'],
  ])("restores the spelling of Codex's empty list: %j", async (text) => {
    const bench = new AppFilesHarness(tempFolder('hosts'), undefined, { apps: HOST_APPS })
    const path = bench.write('.codex/config.toml', text)
    const fileId = bench.fileId('codex', '.codex/config.toml')
    await bench.connect(fileId, 'Codex')
    expect(readFileSync(path, 'utf8')).toContain('/opt/patchbay')
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it.each(HOST_APPS)(
    'restores a usual file of $name after repairs, and deletes one that it created',
    async (app) => {
      const bench = new AppFilesHarness(tempFolder('hosts'), undefined, { apps: [app] })
      const [path = ''] = app.files(bench.place)
      const fileId = `${app.hostId}:${path}`
      await bench.connect(fileId, 'Alone')
      expect(await bench.states(app.hostId)).toEqual(['patchbay asWritten'])
      await bench.disconnect(fileId)
      expect(existsSync(path)).toBe(false)
      const golden = join(import.meta.dirname, 'golden/before', `${app.hostId}.txt`)
      const text = readFileSync(golden, 'utf8')
      writeFileSync(path, text)
      const { agentId } = await bench.connect(fileId, 'Second entry')
      const connected = readFileSync(path, 'utf8')
      writeFileSync(path, connected.replace('bridge', 'brigde'))
      expect(await bench.states(app.hostId)).toEqual(['patchbay edited'])
      const repair = { fileId, agent: { kind: 'known', agentId } } as const
      const { previewHash } = await bench.connector.previewConnect(repair)
      await bench.connector.connect({ ...repair, previewHash })
      expect(readFileSync(path, 'utf8')).toBe(connected)
      await bench.disconnect(fileId)
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  it('removes only the entry after other changes', async () => {
    const { bench, path, fileId } = openTwo()
    await bench.connect(fileId, 'Two')
    editCustomServer(path, '// theirs', '/* later */')
    editCustomServer(path, '"npx"', '"uvx"')
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toBe(
      TWO_TEXT.replace('// theirs', '/* later */').replace('"npx"', '"uvx"'),
    )
  })

  it("deletes a file that it created, except for others' additions", async () => {
    const { bench, path, fileId } = openTwo()
    rmSync(path)
    await bench.connect(fileId, 'Two')
    const { notes } = await bench.connector.previewDisconnect({ fileId, entryName: 'patchbay' })
    expect(notes).toEqual(['The file has no other entries and is removed.'])
    await bench.disconnect(fileId)
    expect(existsSync(path)).toBe(false)
    await bench.connect(fileId, 'Other')
    editCustomServer(path, '{', '{ // mine')
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toContain('// mine')
  })

  it('deletes the agent if the user says so, and can be undone', async () => {
    const { bench, path, fileId } = openTwo()
    await bench.connect(fileId, 'Two')
    const connected = readFileSync(path, 'utf8')
    const changeId = await bench.disconnect(fileId, 'patchbay', true)
    expect(bench.agents.agents).toEqual([])
    await bench.connector.undo(changeId)
    expect(readFileSync(path, 'utf8')).toBe(connected)
    expect(await bench.states('two')).toEqual(['patchbay agentGone'])
  })

  it("never removes an entry that doesn't lead to Patchbay", async () => {
    const { bench, path, fileId } = openTwo()
    await expect(
      bench.connector.previewDisconnect({ fileId, entryName: 'files' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      bench.connector.disconnect({
        fileId,
        entryName: 'files',
        removesAgent: false,
        previewHash: '',
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
  })

  it('leaves an entry that another server has replaced, and drops its record', async () => {
    const { bench, path, fileId } = openTwo()
    const replaced = JSON.stringify({
      app: { servers: { patchbay: { command: 'my-own', env: { KEY: 'precious' } } } },
    })
    await bench.connect(fileId, 'Two')
    writeFileSync(path, replaced)
    expect(await bench.states('two')).toEqual(['patchbay edited'])
    const { hosts } = bench.harness.state
    const files = hosts.flatMap((host) => host.files).filter((file) => file.fileId === fileId)
    expect(files[0]?.connections[0]?.isReplaced).toBe(true)
    chmodSync(path, 0o444)
    await bench.connector.removeEntry(fileId, 'patchbay')
    chmodSync(path, 0o644)
    expect(readFileSync(path, 'utf8')).toBe(replaced)
    expect(bench.ledger.written).toEqual([])

    writeFileSync(path, TWO_TEXT)
    await bench.connect(fileId, 'Other')
    writeFileSync(path, replaced)
    const ref = { fileId, entryName: 'patchbay' }
    const { diff, notes } = await bench.connector.previewDisconnect(ref)
    expect(diff.filter(({ kind }) => kind !== 'same')).toEqual([])
    expect(notes).toEqual(['The entry patchbay no longer points to Patchbay, so it stays.'])
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toBe(replaced)
    expect(bench.ledger.written).toEqual([])
  })

  it('removes every recorded entry when Patchbay is removed', async () => {
    const { bench, path, fileId } = openTwo()
    await bench.connect(fileId, 'Two')
    await bench.connector.removeEntry(fileId, 'patchbay')
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
    await bench.connect(fileId, 'Other')
    writeFileSync(path, TWO_TEXT)
    await bench.connector.removeEntry(fileId, 'patchbay')
    expect(bench.ledger.written).toEqual([])
    await bench.connect(fileId, 'Third')
    writeFileSync(path, '{ broken')
    await expect(bench.connector.removeEntry(fileId, 'patchbay')).rejects.toMatchObject({
      code: 'HOST_FILE_BROKEN',
    })
    expect(readFileSync(path, 'utf8')).toBe('{ broken')
  })
})

describe('D6: connecting and disconnecting any file', () => {
  it('keeps every other byte', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    const key = name.filter((text) => !['app', 'servers', '__proto__'].includes(text))
    const document = fc.record({
      rest: fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      servers: fc.dictionary(
        name.filter((text) => text !== '__proto__'),
        fc.record({ command: fc.string() }),
        { maxKeys: 3 },
      ),
      indent: fc.constantFrom(0, 1, 2, 4, '\t'),
      end: fc.constantFrom('\n', '\r\n'),
      tail: fc.constantFrom('', '\n', '\n\n', '  // end'),
    })
    const { bench, path, fileId } = openTwo()
    let number = 0
    await fc.assert(
      fc.asyncProperty(document, async ({ rest, servers, indent, end, tail }) => {
        fc.pre(Object.keys(servers).length > 0)
        const text = JSON.stringify({ ...rest, app: { servers } }, null, indent) + tail
        const before = text.replaceAll('\n', end)
        writeFileSync(path, before)
        number += 1
        const { agentId } = await bench.connect(fileId, `Two ${String(number)}`)
        expect(readFileSync(path, 'utf8')).not.toBe(before)
        const entryName = bench.ledger.written[0]?.entryName ?? ''
        await bench.disconnect(fileId, entryName)
        await bench.agents.remove(agentId)
        expect(readFileSync(path, 'utf8')).toBe(before)
      }),
      { numRuns: 60 },
    )
  })
})
