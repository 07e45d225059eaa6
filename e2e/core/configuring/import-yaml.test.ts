import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import {
  importFrom,
  notes,
  profileFilesWith,
  readApp,
  serversOfApps,
  TOKEN,
  writeApp,
} from '../../fixtures/app-config-files'
import { openHarness } from '../../fixtures/open-harness'

const GOOSE = `# mine
GOOSE_MODEL: a
extensions:
  developer: # a part of Goose
    enabled: true
    type: builtin
    name: developer
  notes:
    type: stdio
    cmd: ${notes.command}
    args: ["${notes.args.join('", "')}"]
    envs:
      API_TOKEN: ${TOKEN} # secret
    env_keys: [LOGIN]
    available_tools: []
    enabled: true
    timeout: 300
`
const CONTINUE = `name: mine
version: 0.0.1
mcpServers:
  # the first
  - name: Notes
    command: ${notes.command}
    args:
      - ${notes.args.join('\n      - ')}
  - name: away
    type: streamable-http
    url: https://a.example/mcp
    requestOptions:
      headers:
        Authorization: Bearer \${{ secrets.KEY }}
`

describe('D6: import from apps with YAML', () => {
  it('reads both layouts, moves secrets, and turns servers off and on byte for byte', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    writeApp(harness, 'goose', GOOSE)
    writeApp(harness, 'continue', CONTINUE)
    const servers = await serversOfApps(harness)
    expect(
      servers.map(({ hostName, entryName, server }) => [hostName, entryName, server.toFill]),
    ).toEqual([
      ['Goose', 'notes', ['Login']],
      ['Continue', 'Notes', []],
      ['Continue', 'away', ['KEY']],
    ])
    expect(servers.map(({ server }) => server.name)).toEqual(['notes', 'Notes', 'away'])
    expect(JSON.stringify(servers)).not.toContain(TOKEN)
    const both = [
      ['goose', 'notes'],
      ['continue', 'away'],
    ] as const
    const { added, changes, stillOn } = await importFrom(harness, both, both)
    expect([added.map(({ name }) => name), stillOn]).toEqual([['notes', 'away'], []])
    const id = added[0]?.installationId ?? ''
    expect(await memory.secrets.get(`${id}/env_API_TOKEN`)).toBe(TOKEN)
    expect(profileFilesWith(harness, TOKEN)).toEqual([])
    expect(readApp(harness, 'goose')).toBe(
      GOOSE.replace('enabled: true\n    timeout', 'enabled: false\n    timeout'),
    )
    expect(readApp(harness, 'continue')).toBe(CONTINUE.slice(0, CONTINUE.indexOf('  - name: away')))
    for (const { changeId } of changes) await harness.call('hosts.undo', { changeId })
    expect([readApp(harness, 'goose'), readApp(harness, 'continue')]).toEqual([GOOSE, CONTINUE])
  })
})
