import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { AppFilesHarness } from '../../../../e2e/fixtures/app-files-harness'
import { lineOf } from '../../../../e2e/fixtures/pasted-text'
import { READING_PLACE, userFile } from '../../../../e2e/fixtures/read-app-files'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { describeToolChoice } from '../../import/tool-list'
import { HOST_APPS } from '../apps/host-apps'
import type { FoundFile } from '../files/found-file'
import { loadSyntax } from '../formats/host-document'
import { readHosts } from './read-hosts'
import { switchOffEdit } from './switch-off'

await loadSyntax('toml')
await loadSyntax('yaml')

/** Lists a file's servers, one per line, with whether they are off in the app and which tools they expose. */
async function linesOf(file: FoundFile): Promise<string[]> {
  const { servers, unread } = await readHosts([file], [], READING_PLACE)
  expect(unread).toEqual([])
  return servers.map(({ found, server }) => {
    const tools = server.kind === 'usable' ? describeToolChoice(server.tools) : undefined
    const folder = server.kind === 'usable' ? server.drafted.cwd : undefined
    const where = folder === undefined ? '' : ` | in ${folder}`
    const line = `${found.name}${found.isOn ? '' : ' (off)'}: ${lineOf(server)}${where}`
    return tools === undefined ? line : `${line} (${tools})`
  })
}

const usual = (hostId: string): FoundFile =>
  userFile(
    hostId,
    readFileSync(join(import.meta.dirname, '../golden/before', `${hostId}.txt`), 'utf8'),
  )

describe('D6: servers in a usual app file', () => {
  it.each<[string, string[]]>([
    [
      'antigravity',
      [
        'tracker: streamable-http | https://mcp.tracker.example/mcp | X-Region: eu (All tools but “delete_issue” are available to agents.)',
        'weather: npx | -y | @acme/weather-mcp | UNITS=metric',
      ],
    ],
    [
      'kilo-code',
      [
        'weather: npx | -y | @acme/weather-mcp | UNITS=metric',
        'tracker: streamable-http | https://mcp.tracker.example/mcp | Authorization: Bearer «»',
      ],
    ],
    [
      'factory-droid',
      [
        'tracker: streamable-http | https://mcp.tracker.example/mcp',
        'weather: npx | -y | @acme/weather-mcp (All tools but “forecast_hourly” are available to agents.)',
      ],
    ],
    [
      'amazon-q',
      ['aws-docs: uvx | awslabs.aws-documentation-mcp-server@latest | FASTMCP_LOG_LEVEL=ERROR'],
    ],
    ['junie', ['weather: npx | -y | @acme/weather-mcp']],
    [
      'anythingllm',
      [
        'weather: npx | -y | @acme/weather-mcp | UNITS=metric',
        'notes (off): streamable-http | http://127.0.0.1:3003/mcp | X-API-KEY: «k»',
      ],
    ],
    [
      'warp',
      [
        'tracker: streamable-http | https://mcp.tracker.example/mcp',
        'tools: node | ./tooling/mcp/server.js | in /home/ada/shop',
      ],
    ],
    [
      'grok-build',
      [
        'weather: npx | -y | @acme/weather-mcp | UNITS=«»',
        'tracker (off): streamable-http | https://mcp.tracker.example/mcp',
      ],
    ],
    [
      'jan',
      ['exa: streamable-http | https://mcp.exa.ai/mcp', 'fetch (off): uvx | mcp-server-fetch'],
    ],
    [
      'oh-my-pi',
      [
        'github: docker | run | -i | --rm | -e | GITHUB_TOKEN | ghcr.io/github/github-mcp-server | GITHUB_TOKEN=«»',
        'tracker (off): streamable-http | https://mcp.tracker.example/mcp | Authorization: «»',
      ],
    ],
    [
      'hermes-agent',
      [
        'github: npx | -y | @acme/github-mcp | GITHUB_TOKEN=«» (Only “create_issue”, “list_issues” is available to agents.)',
        'legacy (off): streamable-http | https://mcp.legacy.example/mcp',
      ],
    ],
  ])('are read in the dialect of %s', async (hostId, wanted) => {
    expect(await linesOf(usual(hostId))).toEqual(wanted)
  })

  it("cause no notice about an app's own members", async () => {
    const files = ['antigravity', 'factory-droid', 'jan', 'anythingllm', 'warp']
    const { servers } = await readHosts(files.map(usual), [], READING_PLACE)
    const notices = servers.flatMap(({ server }) =>
      server.kind === 'usable' ? server.drafted.notices.map(({ path }) => path) : [server.obstacle],
    )
    expect(notices).toEqual([])
  })

  it('are off in Oh My Pi by its lists of names, which override the entries', async () => {
    const mcpServers = { a: { command: 'x', enabled: false }, b: { command: 'x', enabled: false } }
    const lists = { enabledServers: ['a', 'c'], disabledServers: ['c'] }
    const file = userFile('oh-my-pi', {
      mcpServers: { ...mcpServers, c: { command: 'x' } },
      ...lists,
    })
    expect(await linesOf(file)).toEqual(['a: x', 'b (off): x', 'c (off): x'])
  })
})

describe("D6: files of an app's older version", () => {
  const LEGACY = `{
  "mcpServers": {
    "weather": { "command": "npx", "args": ["-y", "@acme/weather-mcp"], "disabled": false }
  }
}
`
  const open = (file: string): { bench: AppFilesHarness; path: string } => {
    const bench = new AppFilesHarness(tempFolder('hosts'), undefined, { apps: HOST_APPS })
    const path = bench.path(file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, LEGACY)
    return { bench, path }
  }

  it.each([
    ['kilo-code', '.kilocode/cli/global/settings/mcp_settings.json'],
    ['kilo-code', '.config/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json'],
    ['amazon-q', '.aws/amazonq/default.json'],
    ['amazon-q', '.aws/amazonq/agents/default.json'],
  ])('are used for import and turning off, and never connected: %s, %s', async (hostId, file) => {
    const { bench, path } = open(file)
    const files = await bench.editor.read()
    const { servers } = await readHosts(files, [], READING_PLACE)
    expect(servers.map(({ found }) => `${found.file.app.hostId} ${found.name}`)).toEqual([
      `${hostId} weather`,
    ])
    const fileId = bench.fileId(hostId, file)
    const off = switchOffEdit(await bench.editor.readOne(fileId), servers, false)
    const changeId = await bench.change(fileId, off)
    expect(readFileSync(path, 'utf8')).toBe(LEGACY.replace('false', 'true'))
    await bench.editor.undo(changeId)
    expect(readFileSync(path, 'utf8')).toBe(LEGACY)
    await bench.harness.refresh()
    const shown = bench.harness.state.hosts.find((host) => host.hostId === hostId)
    expect(shown?.isHere).toBe(true)
    expect(shown?.files.map((one) => one.path)).not.toContain(path)
  })

  it('are also found in project folders', async () => {
    const { bench } = open('shop/.kilocode/mcp.json')
    bench.ledger.setFolders([bench.path('shop')])
    const { servers } = await readHosts(await bench.editor.read(), [], READING_PLACE)
    expect(servers.map(({ found }) => found.listed.workspace)).toEqual([bench.path('shop')])
  })
})
