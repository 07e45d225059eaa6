import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { readEnvFile } from '../../import/read-server'
import { MAX_BYTES, readHostFile } from './read-host-file'

describe("D6: reading an app's file", () => {
  it('accesses no other computer', async () => {
    for (const path of [String.raw`\\server\share\mcp.json`, '//server/share/mcp.json'])
      expect(await readHostFile(path, 'win32')).toMatchObject({
        ...{ kind: 'unreadable', problem: 'The file is on another computer.' },
      })
  })

  it('returns where a file would be created, through the links above it', async () => {
    const folder = tempFolder('hosts')
    expect(await readHostFile(`${folder}/a.json`)).toMatchObject({
      ...{ kind: 'absent', hasFolder: true, closed: undefined },
    })
    expect(await readHostFile(`${folder}/b/c/a.json`)).toMatchObject({
      ...{ kind: 'absent', hasFolder: false, closed: undefined },
    })
  })

  it('names what blocks the folder of a new file', async () => {
    const file = join(tempFolder('hosts'), 'file')
    writeFileSync(file, '')
    expect(await readHostFile(join(file, 'a.json'))).toMatchObject({
      ...{ kind: 'absent', closed: `${file} isn’t a folder.` },
    })
    expect(await readHostFile(join(file, 'b', 'a.json'))).toMatchObject({
      ...{ kind: 'absent', closed: `The folder ${join(file, 'b')} can’t be read (ENOTDIR).` },
    })
  })

  it.runIf(process.platform !== 'win32')("never writes to another account's file", async () => {
    const ofOther = join(tempFolder('hosts'), 'a.json')
    writeFileSync(ofOther, '{}')
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(ofOther, 65_534, 65_534)
    expect(await readHostFile(isRoot ? ofOther : '/etc/passwd')).toMatchObject({
      ...{ kind: 'there', closed: 'The file belongs to another account.' },
    })
  })

  it.runIf(process.platform === 'linux')('never waits for a pipe or a device', async () => {
    expect(await readHostFile('/dev/null')).toMatchObject({ kind: 'unreadable' })
    const pipe = join(tempFolder('hosts'), 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(await readHostFile(pipe)).toMatchObject({ problem: 'This isn’t a file.' })
    expect(await readEnvFile(pipe)).toMatchObject({ problem: `${pipe} isn’t a file.` })
  })

  it.runIf(process.platform === 'linux')(
    'reads at most the allowed bytes of an endless file',
    async () => {
      // A regular file of size 0 from which half a terabyte can be read.
      const link = join(tempFolder('hosts'), 'endless.json')
      symlinkSync('/proc/self/pagemap', link)
      expect(await readHostFile(link)).toMatchObject({ problem: 'The file is larger than 4 MB.' })
      expect(await readEnvFile(link)).toMatchObject({ problem: `${link} is larger than 1 MB.` })
    },
  )

  it('accepts a file up to the limit, and none above', async () => {
    const path = join(tempFolder('hosts'), 'a.json')
    writeFileSync(path, Buffer.alloc(MAX_BYTES, 97))
    const found = await readHostFile(path)
    expect(found.kind === 'there' && found.bytes.equals(Buffer.alloc(MAX_BYTES, 97))).toBe(true)
    appendFileSync(path, 'a')
    expect(await readHostFile(path)).toMatchObject({ problem: 'The file is larger than 4 MB.' })
    writeFileSync(path, '')
    expect(await readHostFile(path)).toMatchObject({ kind: 'there', bytes: Buffer.alloc(0) })
  })
})
