import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { openFile } from '../../../../e2e/fixtures/two-file'

const TEXT = '{\r\n  "mcpServers": {\r\n    "keep": { "command": "node" }\r\n  }\r\n}\r\n'
const MARKED = `\uFEFF${TEXT}`

describe("D6: the encoding of an app's file", () => {
  it("a byte order mark that the app can't read is removed with a note in the preview, and undo restores it", async () => {
    const { bench, path, fileId } = openFile('three', MARKED)
    const agent = { kind: 'new', name: 'Three' } as const
    expect((await bench.connector.previewConnect({ fileId, agent })).notes).toContain(
      'The file begins with a mark that Three can’t read. It is removed.',
    )
    const { changeId } = await bench.connect(fileId, 'Three')
    expect(readFileSync(path, 'utf8').startsWith('{\r\n')).toBe(true)
    await bench.connector.undo(changeId)
    expect(readFileSync(path, 'utf8')).toBe(MARKED)
  })

  it('a byte order mark that the app reads stays', async () => {
    const { bench, path, fileId } = openFile('one', MARKED)
    const agent = { kind: 'new', name: 'One' } as const
    expect((await bench.connector.previewConnect({ fileId, agent })).notes).toEqual([])
    await bench.connect(fileId, 'One')
    expect(readFileSync(path, 'utf8').startsWith('\uFEFF{')).toBe(true)
  })

  it.each([
    ['little endian', (text: string): Buffer => Buffer.from(text, 'utf16le')],
    ['big endian', (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()],
  ])('UTF-16 is read for import, and reported for changes: %s', async (_, encode) => {
    const { bench, path, fileId } = openFile('one', encode(MARKED))
    const [file] = await bench.editor.read()
    expect(file?.document?.entries.map(({ name }) => name)).toEqual(['keep'])
    const agent = { kind: 'new', name: 'One' } as const
    expect((await bench.connector.previewConnect({ fileId, agent })).obstacle).toContain(
      'The file is UTF-16, as PowerShell writes it. Save it as UTF-8.',
    )
    expect(readFileSync(path).equals(encode(MARKED))).toBe(true)
  })

  it.each([
    ['three', MARKED, 'Three can’t read the file, since it begins with a byte order mark.'],
    ['one', Buffer.from(MARKED, 'utf16le'), 'The file is UTF-16, as PowerShell writes it'],
    ['one', MARKED, undefined],
  ] as const)(
    "is reported on the app's page before any change: %s",
    async (hostId, text, words) => {
      const { bench, fileId } = openFile(hostId, text)
      await bench.harness.refresh()
      const files = bench.harness.state.hosts.flatMap((host) => host.files)
      const state = files.find((file) => file.fileId === fileId)?.state
      const warning = state?.kind === 'read' ? state.warning : undefined
      if (words === undefined) expect(warning).toBeUndefined()
      else expect(warning).toContain(words)
    },
  )
})
