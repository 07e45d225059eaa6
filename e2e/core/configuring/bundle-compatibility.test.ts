import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { openLocal, setUpTelling, shelved } from '../../fixtures/local-bundle'
import { makeBundle, sha256Of, tellingBundle } from '../../fixtures/make-bundle'
import { openHarness } from '../../fixtures/open-harness'
import { tempFolder } from '../../fixtures/temp-folder'

describe('A1 the computer that a bundle asks for', () => {
  it('is not opened where the runtime is not the one that its manifest asks for', async () => {
    const harness = openHarness()
    const bytes = await tellingBundle({ compatibility: { runtimes: { node: '>=99' } } })
    const refusal = {
      code: 'RUNNER_TOO_OLD',
      message: expect.stringMatching(/requires Node\.js >=99, but node is \d+\./) as unknown,
    }
    await expect(openLocal(harness, bytes)).rejects.toMatchObject(refusal)
    expect(shelved(harness)).toEqual([])
    const fits = await tellingBundle({ compatibility: { runtimes: { node: '>=18' } } })
    expect((await openLocal(harness, fits)).notices).toEqual([
      'Requires Node.js >=18 on this computer.',
    ])
  })

  it('is not started where the runtime is no longer the one that its manifest asks for', async () => {
    const harness = openHarness()
    const bytes = await tellingBundle({ compatibility: { runtimes: { node: '>=18' } } })
    const opened = await openLocal(harness, bytes)
    // For want of another Node.js, the manifest asks for another one.
    const manifest = join(harness.profileDir, 'bundles', sha256Of(bytes), 'manifest.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('>=18', '>=99'))
    const installationId = await setUpTelling(harness, opened)
    const { status } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({
      code: 'RUNNER_TOO_OLD',
      message: expect.stringMatching(/requires Node\.js >=99, but node is \d+\./) as unknown,
    })
    // What was opened before is checked as what is new.
    await expect(openLocal(harness, bytes)).rejects.toMatchObject({ code: 'RUNNER_TOO_OLD' })
  })

  it('runs nothing of the bundle to find out, be it called as the runtime', async () => {
    const harness = openHarness()
    const ran = join(tempFolder('ran'), 'ran')
    const bytes = await makeBundle({
      'manifest.json': JSON.stringify({
        name: 'own-node',
        version: '1.0.0',
        server: { type: 'binary', entry_point: 'bin/node' },
        compatibility: { runtimes: { node: '>=99' } },
      }),
      'bin/node': `#!/bin/sh\necho ran > '${ran}'\necho v24.0.0\n`,
    })
    await openLocal(harness, bytes)
    // The second time its program is one that may run.
    await openLocal(harness, bytes)
    expect(existsSync(ran)).toBe(false)
  })
})
