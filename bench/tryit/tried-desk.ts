import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { Desk } from '../../e2e/fixtures/desk'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'

const PROGRAM = resolve('bench/tryit/tried-server.mjs')

/** Writes the settings of a person who set the server up into a profile folder; its id. */
export async function fillTried(profileDir: string): Promise<string> {
  const desk = new Desk()
  await desk.call('settings.update', { catalogUpkeep: false })
  const installationId = await desk.install(SERVER, { name: 'Tried' })
  await desk.close()
  const text = JSON.stringify(desk.memory.document)
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
