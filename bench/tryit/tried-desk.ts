import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { Harness } from '../../e2e/fixtures/desk'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'

const PROGRAM = resolve('bench/tryit/tried-server.mjs')

/** Writes the settings of a user who set the server up into a profile folder; its id. */
export async function fillTried(profileDir: string): Promise<string> {
  const harness = new Harness()
  await harness.call('settings.update', { catalogUpkeep: false })
  const installationId = await harness.install(SERVER, { name: 'Tried' })
  await harness.close()
  const text = JSON.stringify(harness.memory.document)
  writeFileSync(documentFile(profileDir), text, { mode: 0o600 })
  return installationId
}

const SERVER = {
  name: 'bench.fixture/tried',
  description: 'A server to be tried.',
  version: '1.0.0',
  packages: [
    {
      ...{ registryType: 'cargo', identifier: 'node', version: '1.0.0' },
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: PROGRAM }],
    },
  ],
}
