import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { openLocal, setUpTelling, shelved } from '../../fixtures/local-bundle'
import { makeBundle, sha256Of, tellingBundle } from '../../fixtures/make-bundle'
import { openHarness } from '../../fixtures/open-harness'
import { tempFolder } from '../../fixtures/temp-folder'

describe("A1: a bundle's requirements", () => {
  it('keep it from being opened with the wrong runtime', async () => {
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

  it('keep it from being started after the runtime changed', async () => {
    const harness = openHarness()
    const bytes = await tellingBundle({ compatibility: { runtimes: { node: '>=18' } } })
    const opened = await openLocal(harness, bytes)
    // Without another Node.js, the manifest requires another one.
    const manifest = join(harness.profileDir, 'bundles', sha256Of(bytes), 'manifest.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('>=18', '>=99'))
    const installationId = await setUpTelling(harness, opened)
    const { status } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({
      code: 'RUNNER_TOO_OLD',
      message: expect.stringMatching(/requires Node\.js >=99, but node is \d+\./) as unknown,
    })
    // An installed bundle is checked like a new one.
    await expect(openLocal(harness, bytes)).rejects.toMatchObject({ code: 'RUNNER_TOO_OLD' })
  })

  it('are checked without running any file of the bundle, even one named like the runtime', async () => {
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
    // The second time its program may run.
    await openLocal(harness, bytes)
    expect(existsSync(ran)).toBe(false)
  })
})
