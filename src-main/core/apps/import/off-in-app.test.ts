import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { folderFile, READING_PLACE, userFile } from '../../../../e2e/fixtures/read-app-files'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import type { FoundFile } from '../files/found-file'
import { readHosts } from './read-hosts'

const x = { command: 'node', args: ['x.js'] }

/** Servers of files by name: on, off, or the projects in which a server is off. */
async function switchStates(...files: FoundFile[]): Promise<Record<string, unknown>> {
  const { servers } = await readHosts(files, [], READING_PLACE)
  return Object.fromEntries(
    servers.map(({ found: { name, isOn, offIn } }) => [
      name,
      offIn.length > 0 ? offIn : isOn ? 'on' : 'off',
    ]),
  )
}

/** Claude Code's project file in a real folder. */
function projectFile(mcpServers: object, settings?: string): FoundFile {
  const folder = tempFolder('project')
  mkdirSync(join(folder, '.claude'))
  if (settings !== undefined)
    writeFileSync(join(folder, '.claude', 'settings.local.json'), settings)
  return { ...folderFile('claude-code', { mcpServers }), path: `${folder}/.mcp.json` }
}

describe('D6: whether a server is turned off in its app', () => {
  const projects = {
    '/shop': { mcpServers: { local: x }, disabledMcpServers: ['alpha', 'local', 'gamma'] },
  }
  const user = userFile('claude-code', { mcpServers: { alpha: x, beta: x }, projects })

  it("depends on Claude Code's projects: off in all is off, off in some is on with these projects", async () => {
    expect(await switchStates(user)).toEqual({ alpha: 'off', beta: 'on', local: 'off' })
    expect(await switchStates(user, projectFile({}))).toEqual({
      ...{ alpha: ['/shop'], beta: 'on', local: 'off' },
    })
  })

  it("depends on Claude Code's project settings and its records of the project", async () => {
    const settings = '{ "disabledMcpjsonServers": ["shared"] } // mine'
    expect(await switchStates(projectFile({ shared: x, other: x }, settings))).toEqual({
      ...{ shared: 'off', other: 'on' },
    })
    expect(await switchStates(projectFile({ shared: x }, '{ broken'))).toEqual({ shared: 'on' })
    const file = projectFile({ shared: x, gone: x })
    const folder = file.path.slice(0, -'/.mcp.json'.length)
    const recorded = { [folder]: { disabledMcpjsonServers: ['gone'] } }
    expect(await switchStates(file, userFile('claude-code', { projects: recorded }))).toEqual({
      ...{ shared: 'on', gone: 'off' },
    })
  })

  it.each(['gemini-cli', 'qwen-code'])('depends on the lists under mcp in %s', async (hostId) => {
    const mcpServers = { gone: x, kept: x, third: x }
    const mcp = { excluded: ['gone'], allowed: ['kept', 'gone'] }
    expect(await switchStates(userFile(hostId, { mcp, mcpServers }))).toEqual({
      ...{ gone: 'off', kept: 'on', third: 'off' },
    })
    expect(await switchStates(userFile(hostId, { mcpServers }))).toEqual({
      ...{ gone: 'on', kept: 'on', third: 'on' },
    })
  })

  it.each(['claude-code', 'copilot-cli'])(
    "doesn't depend on members of the entry in %s",
    async (hostId) => {
      const mcpServers = { a: { ...x, disabled: true }, b: { ...x, enabled: false } }
      expect(await switchStates(userFile(hostId, { mcpServers }))).toEqual({ a: 'on', b: 'on' })
    },
  )

  it.each(['cline', 'kiro', 'windsurf'])(
    'depends on disabled in the entry in %s',
    async (hostId) => {
      const mcpServers = { a: { ...x, disabled: true }, b: x }
      expect(await switchStates(userFile(hostId, { mcpServers }))).toEqual({ a: 'off', b: 'on' })
    },
  )
})
