import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { Harness } from '../../e2e/fixtures/desk'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'
import { tool } from './many-tools'

const PROGRAM = resolve('e2e/servers/changing.mjs')
const SERVERS = 10
const TOOLS_EACH = 200

/** How many tools the servers of the page list. */
export const LISTED = SERVERS * TOOLS_EACH

/** Ten servers that list 200 tools each, all shown to agents. */
export class ListingHarness implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'patchbay-bench-tools-'))

  /** Writes the settings of a user who set them all up into a profile folder. */
  async fill(profileDir: string): Promise<void> {
    const harness = new Harness()
    await harness.call('settings.update', { catalogUpkeep: false, toolCap: LISTED })
    for (let at = 0; at < SERVERS; at += 1)
      await harness.install(this.#server(at), { name: `Server ${String(at)}` })
    await harness.close()
    const text = JSON.stringify(harness.memory.document)
    writeFileSync(documentFile(profileDir), text, { mode: 0o600 })
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #server(at: number): object {
    const file = join(this.#folder, `${String(at)}.json`)
    const tools = Array.from({ length: TOOLS_EACH }, (_, index) =>
      tool(`${String(at)}_part_${String(index)}`),
    )
    writeFileSync(file, JSON.stringify(tools.map((one) => one.tool)))
    const of = { registryType: 'cargo', identifier: 'node', version: '1.0.0' }
    return {
      name: `bench.fixture/lists-${String(at)}`,
      description: 'Lists many tools.',
      version: '1.0.0',
      packages: [
        {
          ...of,
          transport: { type: 'stdio' },
          packageArguments: [PROGRAM, file].map((value) => ({ type: 'positional', value })),
        },
      ],
    }
  }
}
