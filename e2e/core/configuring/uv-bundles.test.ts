import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import type { PhaseRecord } from '../../../src-shared/domain/running/run-status'
import type { Harness } from '../../fixtures/harness'
import { makeBundle, sha256Of } from '../../fixtures/make-bundle'
import { openHarness } from '../../fixtures/open-harness'
import { computerOnPath, type TinyComputer } from '../../fixtures/tiny-computer'

const PLAIN = join(import.meta.dirname, '../../servers/plain.mjs')
const MANIFEST = {
  manifest_version: '0.4',
  name: 'uv-bundle',
  version: '1.0.0',
  server: { type: 'uv', entry_point: 'src/server.py' },
  compatibility: { runtimes: { python: '>=99' } },
}
const PROJECT = { 'pyproject.toml': '[project]', 'src/server.py': '' }
let computer: TinyComputer

beforeEach(() => {
  computer = computerOnPath()
  computer.program(
    'uv',
    `echo "$@" >> ${computer.home}/$1-args; env > ${computer.home}/$1-env; [ "$1" = sync ] || exec node ${PLAIN}`,
  )
})

const saw = (name: string): string => readFileSync(join(computer.home, name), 'utf8')

/** Opens, approves and starts a bundle of these files; returns its installation and folder. */
async function run(
  harness: Harness,
  files: Readonly<Record<string, string>>,
  values = {},
): Promise<{ readonly id: string; readonly folder: string }> {
  const bytes = await makeBundle(files)
  const file = join(computer.home, 'one.mcpb')
  writeFileSync(file, bytes)
  const { entryId } = await harness.call('bundle.openFile', { openingId: 'one', path: file })
  const id = await harness.setUp(await harness.call('catalog.read', { entryId }), { values })
  await harness.until(id, 'ready')
  return { id, folder: join(harness.profileDir, 'bundles', sha256Of(bytes)) }
}

async function phaseOf(
  harness: Harness,
  id: string,
  name: string,
): Promise<PhaseRecord | undefined> {
  return (await harness.view(id)).phases.find(({ phase }) => phase === name)
}

describe.skipIf(process.platform === 'win32')('A1: a uv bundle (MCPB 0.4)', () => {
  it('is run by uv without its own command, after its environment was created', async () => {
    const harness = openHarness()
    const files = { 'manifest.json': JSON.stringify(MANIFEST), ...PROJECT }
    const { id, folder } = await run(harness, files)
    const sync = `sync --inexact --directory ${folder}\n`
    expect(saw('sync-args')).toBe(sync)
    expect(saw('run-args')).toBe(`run --directory ${folder} ${folder}/src/server.py\n`)
    expect((await phaseOf(harness, id, 'install'))?.outcome).toBe('done')
  })

  it('keeps its secrets from the downloads', async () => {
    const harness = openHarness()
    const manifest = {
      ...MANIFEST,
      server: {
        ...MANIFEST.server,
        mcp_config: {
          command: 'uv',
          args: ['run', '--directory', '${__dirname}', 'src/server.py'],
          env: { API_KEY: '${user_config.key}' },
        },
      },
      user_config: { key: { type: 'string', sensitive: true } },
    }
    const files = { 'manifest.json': JSON.stringify(manifest), ...PROJECT }
    await run(harness, files, { set_key: 'key-of-mine' })
    expect(saw('run-env')).toContain('key-of-mine')
    expect(saw('sync-env')).not.toContain('key-of-mine')
  })

  it('may download in its first handshake if uv has no project to prepare', async () => {
    const harness = openHarness()
    const mcp_config = { command: 'uv', args: ['run', '--script', '${__dirname}/src/server.py'] }
    const manifest = { ...MANIFEST, server: { ...MANIFEST.server, mcp_config } }
    const { id } = await run(harness, {
      'manifest.json': JSON.stringify(manifest),
      'src/server.py': '',
    })
    expect((await phaseOf(harness, id, 'install'))?.outcome).toBe('skipped')
    expect((await phaseOf(harness, id, 'handshake'))?.note).toBe('downloading')
  })
})
