import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { fixtureServer } from '../../fixtures/fixture-server'
import { openHarness } from '../../fixtures/open-harness'
import { tempFolder } from '../../fixtures/temp-folder'

describe.skipIf(process.platform === 'win32')('D3: an approved command', () => {
  it("is found on the user's PATH, not on one set by the entry", async () => {
    const folder = tempFolder('path')
    const trap = join(folder, 'trap')
    writeFileSync(join(folder, 'node'), `#!/bin/sh\ntouch ${trap}\n`)
    chmodSync(join(folder, 'node'), 0o755)
    const harness = openHarness()
    await harness.installReady(
      fixtureServer('plain.mjs', { environmentVariables: [{ name: 'PATH', value: folder }] }),
    )
    expect(existsSync(trap)).toBe(false)
  })
})
