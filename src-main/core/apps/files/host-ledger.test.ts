import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { HostLedger } from './host-ledger'

describe('D6: the records of changes', () => {
  it("aren't replaced if they couldn't be read at the start, even if they can be later", () => {
    const folder = join(tempFolder('ledger'), 'profile')
    const path = join(folder, 'changes.json')
    writeFileSync(folder, 'a file where the folder should be')
    const ledger = new HostLedger(path)
    const reason = 'The file can’t be read (ENOTDIR).'
    expect(ledger.lost).toBe(reason)
    rmSync(folder)
    mkdirSync(folder)
    new HostLedger(path).setFolders(['/srv/app'])
    const stored = readFileSync(path, 'utf8')
    expect(() => ledger.setFolders([])).toThrow(
      expect.objectContaining({ code: 'SETTINGS_UNWRITABLE' }),
    )
    expect(readFileSync(path, 'utf8')).toBe(stored)
    expect(ledger.folders).toEqual([])
  })
})
