import { readFileSync } from 'node:fs'
import { join, posix, win32 } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { HostId } from '../../../../src-shared/domain/agents/host'
import { lineDiff } from '../../line-diff'
import { bridgeEntry, bridgeOf } from '../files/bridge-entry'
import { type HostDocument, loadSyntax, openHostDocument } from '../formats/host-document'
import type { HostApp, PathContext } from './host-app'
import { HOST_APPS } from './host-apps'

await loadSyntax('toml')
await loadSyntax('yaml')

const GOLDEN = join(import.meta.dirname, '../golden')

const PLACES = {
  linux: { platform: 'linux', home: '/home/ada', env: {} },
  macOS: { platform: 'darwin', home: '/Users/ada', env: {} },
  Windows: {
    platform: 'win32',
    home: String.raw`C:\Users\ada`,
    env: {
      APPDATA: String.raw`C:\Users\ada\AppData\Roaming`,
      LOCALAPPDATA: String.raw`C:\Users\ada\AppData\Local`,
    },
  },
} as const satisfies Record<string, PathContext>

const LAUNCHES: Record<keyof typeof PLACES, Parameters<typeof bridgeEntry>[1]> = {
  linux: launch(['patchbay'], '/home/ada/.config/patchbay'),
  macOS: launch(
    ['/Applications/Patchbay.app/Contents/MacOS/patchbay'],
    '/Users/ada/Library/Application Support/patchbay',
  ),
  Windows: launch(
    [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\Patchbay\cli.js`],
    String.raw`C:\Users\ada\AppData\Roaming\patchbay`,
  ),
}

const SYSTEMS = ['linux', 'macOS', 'Windows'] as const

describe('D6: the app table', () => {
  it('names each app once', () => {
    const ids = HOST_APPS.map(({ hostId }) => hostId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(HOST_APPS.map(({ name }) => name)).size).toBe(ids.length)
    for (const { hostId, reload, newFile } of HOST_APPS) {
      expect(HostId.safeParse(hostId).success, hostId).toBe(true)
      expect(reload, hostId).toMatch(/^[A-Z].*[^.]\.$/u)
      expect(newFile ?? '\n', hostId).toMatch(/\n$/u)
    }
  })

  it.each(SYSTEMS)('gives every app its own file on %s', (system) => {
    const files = HOST_APPS.flatMap((app) => app.files(PLACES[system]))
    expect(new Set(files).size).toBe(files.length)
    for (const app of HOST_APPS)
      expect(app.files(PLACES[system]).length, app.name).toBeGreaterThan(0)
  })

  it('names project files within the project', () => {
    const folders = HOST_APPS.flatMap(({ folder }) => (folder ? [folder.file] : []))
    expect(new Set(folders).size).toBe(folders.length)
    for (const file of folders) {
      expect(file).not.toContain('\\')
      expect(posix.join('/project', file)).toBe(`/project/${file}`)
    }
  })

  it.each(HOST_APPS)('matches the golden file of $name', async (app) => {
    await expect(goldenOf(app)).toMatchFileSnapshot(join(GOLDEN, `${app.hostId}.txt`))
  })
})

describe('D6: the entry that connects an app', () => {
  it.each(HOST_APPS)('is parsed back as the same bridge in $name', (app) => {
    for (const system of SYSTEMS) {
      const { agentId, profileDir } = LAUNCHES[system]
      const entry = bridgeEntry(app, LAUNCHES[system])
      expect(bridgeOf(entry)).toEqual({ agentId, profileDir })
      const written = openHostDocument('', app.list).with('patchbay', entry)
      expect(written.entries).toEqual([{ name: 'patchbay', value: entry }])
      expect(openHostDocument(written.text, app.list).entries).toEqual(written.entries)
    }
  })

  it('is recognized with arguments that the user added', () => {
    const args = ['bridge', '--verbose', '--agent', 'at-work', '--profile=/profile', '--x']
    const bridge = { agentId: 'at-work', profileDir: '/profile' }
    expect(bridgeOf({ command: 'patchbay', args })).toEqual(bridge)
    expect(bridgeOf({ command: 'brew', args: ['--agent', 'x', 'bridge'] })).toBeUndefined()
  })

  it.each(HOST_APPS.filter(({ off }) => off))(
    'is turned off in place, and on again, in $name',
    (app) => {
      const { key, value } = app.off ?? { key: '', value: null }
      const before = openHostDocument(beforeOf(app), app.list)
      const name = before.entries.at(-1)?.name ?? ''
      const off = before.withMember(name, key, value)
      expect(off.entries.at(-1)?.value).toMatchObject({ [key]: value })
      expect(off.entries.slice(0, -1)).toEqual(before.entries.slice(0, -1))
      const was = memberOf(before, name, key)
      const on = openHostDocument(off.text, app.list).withMember(name, key, was)
      expect(on.text).toBe(before.text)
    },
  )

  it.each(HOST_APPS)(
    'carries the variables of its command in a file of $name, and leaves no trace',
    (app) => {
      const env = { ELECTRON_RUN_AS_NODE: '1' }
      const given = launch([String.raw`C:\Patchbay\Patchbay.exe`], String.raw`C:\profile`, env)
      const entry = bridgeEntry(app, given)
      expect(Object.values(entry)).toContainEqual(env)
      expect(bridgeOf(entry)).toEqual({ agentId: 'at-work', profileDir: given.profileDir })
      const written = openHostDocument(beforeOf(app), app.list).with('patchbay', entry)
      const reread = openHostDocument(written.text, app.list)
      expect(reread.entries.at(-1)).toEqual({ name: 'patchbay', value: entry })
      expect(reread.without('patchbay').text).toBe(beforeOf(app))
      const changed = Object.entries(entry).find(([, value]) => value === env)
      const bare = bridgeEntry(app, { ...given, ownCommand: { ...given.ownCommand, env: {} } })
      const late = openHostDocument('', app.list).with('patchbay', bare)
      const [key = '', value = null] = changed ?? []
      expect(late.withMember('patchbay', key, value).entries[0]?.value).toMatchObject({
        [key]: env,
      })
    },
  )

  it('carries its name if the app wants it in the entry', () => {
    const entries = ['patchbay', 'patchbay-2'].map((name) =>
      bridgeEntry(appOf('goose'), { ...LAUNCHES.linux, name }),
    )
    expect(entries).toMatchObject([{ name: 'patchbay' }, { name: 'patchbay-2' }])
  })
})

describe('D6: locations of app files', () => {
  const { linux, macOS, Windows } = PLACES

  it.each([
    ['vs-code', linux, { XDG_CONFIG_HOME: '/x/conf' }, '/x/conf/Code/User/mcp.json'],
    ['zed', linux, { XDG_CONFIG_HOME: '/x/conf' }, '/x/conf/zed/settings.json'],
    ['zed', macOS, { XDG_CONFIG_HOME: '/x/conf' }, '/Users/ada/.config/zed/settings.json'],
    ['goose', macOS, { XDG_CONFIG_HOME: '/x/conf' }, '/x/conf/goose/config.yaml'],
    ['goose', linux, { GOOSE_PATH_ROOT: '/x/goose' }, '/x/goose/config/config.yaml'],
    ['opencode', Windows, { XDG_CONFIG_HOME: 'D:/conf' }, 'D:\\conf\\opencode\\opencode.json'],
    ['crush', Windows, { LOCALAPPDATA: 'D:\\local' }, 'D:\\local\\crush\\crush.json'],
    ['crush', Windows, { XDG_CONFIG_HOME: 'D:\\conf' }, 'D:\\conf\\crush\\crush.json'],
    ['claude-code', linux, { CLAUDE_CONFIG_DIR: '/x/claude' }, '/x/claude/.claude.json'],
    ['codex', macOS, { CODEX_HOME: '/x/codex/' }, '/x/codex/config.toml'],
    ['gemini-cli', linux, { GEMINI_CLI_HOME: '/x/home' }, '/x/home/.gemini/settings.json'],
    ['copilot-cli', linux, { COPILOT_HOME: '/x/copilot' }, '/x/copilot/mcp-config.json'],
    ['qwen-code', linux, { QWEN_HOME: '/x/qwen' }, '/x/qwen/settings.json'],
    ['cline', linux, { CLINE_DIR: '/x/c' }, '/x/c/data/settings/cline_mcp_settings.json'],
    ['cline', linux, { CLINE_DATA_DIR: '/x/d' }, '/x/d/settings/cline_mcp_settings.json'],
    ['cline', linux, { CLINE_MCP_SETTINGS_PATH: '/x/mcp.json' }, '/x/mcp.json'],
    ['hermes-agent', macOS, { HERMES_HOME: '/x/h' }, '/x/h/config.yaml'],
    ['jan', linux, { XDG_DATA_HOME: '/x/data' }, '/x/data/Jan/data/mcp_config.json'],
    ['kilo-code', Windows, { XDG_CONFIG_HOME: 'D:/c' }, 'D:\\c\\kilo\\kilo.jsonc'],
    ['cursor', Windows, { APPDATA: 'D:\\roam' }, 'C:\\Users\\ada\\.cursor\\mcp.json'],
    ['devin', Windows, { APPDATA: 'D:\\roam' }, 'D:\\roam\\devin\\mcp_config.json'],
    ['vs-code', Windows, { AppData: 'D:\\roam' }, 'D:\\roam\\Code\\User\\mcp.json'],
    ['vs-code', Windows, { APPDATA: '\\\\nas\\ada' }, '\\\\nas\\ada\\Code\\User\\mcp.json'],
  ] as const)('%s on %o: %o', (hostId, place, env, file) => {
    expect(appOf(hostId).files({ ...place, env })[0]).toBe(file)
  })

  it.each(['', '  ', 'relative/conf', '~/conf', './x', '\0/x', '/x\0y'])(
    'ignore a variable with the value %j',
    (value) => {
      const hostile = Object.fromEntries(VARIABLES.map((name) => [name, value]))
      expect(pathsOf({ ...linux, env: hostile })).toEqual(pathsOf({ ...linux, env: {} }))
      expect(pathsOf({ ...macOS, env: hostile })).toEqual(pathsOf({ ...macOS, env: {} }))
      expect(pathsOf({ ...Windows, env: hostile })).toEqual(pathsOf(Windows))
    },
  )

  it.each(['/conf', '\\conf', 'C:conf', 'C:', '\\\\'])(
    'ignore a Windows variable with the value %j',
    (value) => {
      const hostile = Object.fromEntries(VARIABLES.map((name) => [name, value]))
      expect(pathsOf({ ...Windows, env: hostile })).toEqual(pathsOf(Windows))
    },
  )

  it('are absolute, whatever the variables contain', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('..', '/a/../..', 'D:\\x\\..', '\\\\s\\d'))
    const env = fc.dictionary(fc.constantFrom(...VARIABLES), value)
    fc.assert(
      fc.property(env, fc.constantFrom(...SYSTEMS), (variables, system) => {
        const place = { ...PLACES[system], env: variables }
        const spelling = place.platform === 'win32' ? win32 : posix
        for (const path of pathsOf(place)) {
          expect(spelling.isAbsolute(path)).toBe(true)
          expect(spelling.normalize(path)).toBe(path)
          expect(path).not.toContain('\0')
        }
      }),
    )
  })
})

const VARIABLES = [
  'XDG_CONFIG_HOME',
  'APPDATA',
  'LOCALAPPDATA',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'GEMINI_CLI_HOME',
  'COPILOT_HOME',
  'QWEN_HOME',
  'GOOSE_PATH_ROOT',
  'CLINE_DIR',
  'CLINE_DATA_DIR',
  'CLINE_MCP_SETTINGS_PATH',
  'HERMES_HOME',
  'KIMI_CODE_HOME',
  'XDG_DATA_HOME',
]

/** Returns every path that is checked on a computer. */
function pathsOf(place: PathContext): string[] {
  return HOST_APPS.flatMap(({ files, alsoReads, traces }) => [
    ...files(place),
    ...(alsoReads?.files(place) ?? []),
    ...traces(place),
  ])
}

function appOf(hostId: string): HostApp {
  const app = HOST_APPS.find((one) => one.hostId === hostId)
  if (!app) throw new Error(`no app ${hostId}`)
  return app
}

function launch(
  argv: string[],
  profileDir: string,
  env: Record<string, string> = {},
): Parameters<typeof bridgeEntry>[1] {
  return { ownCommand: { argv, env }, agentId: 'at-work', profileDir }
}

/** A file as its app and its user leave it. */
function beforeOf({ hostId }: HostApp): string {
  return readFileSync(join(GOLDEN, 'before', `${hostId}.txt`), 'utf8')
}

function memberOf(document: HostDocument, name: string, key: string): boolean | undefined {
  const value = document.entries.find((entry) => entry.name === name)?.value
  const member: unknown = Object.entries(value ?? {}).find(([one]) => one === key)?.[1]
  return typeof member === 'boolean' ? member : undefined
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const

/** The paths per system, and the result of connecting with no file and with a usual one, using Windows's command. */
function goldenOf(app: HostApp): string {
  const entry = bridgeEntry(app, LAUNCHES.Windows)
  const connected = (text: string): string =>
    openHostDocument(text, app.list).with('patchbay', entry).text
  const looked = SYSTEMS.flatMap((system) => [
    `=== ${system}`,
    ...app.files(PLACES[system]).map((path) => `file  ${path}`),
    ...(app.alsoReads?.files(PLACES[system]) ?? []).map((path) => `older ${path}`),
    ...app.traces(PLACES[system]).map((path) => `trace ${path}`),
  ])
  const before = beforeOf(app)
  const changed = lineDiff(before, connected(before)).map(({ kind, text }) => SIGNS[kind] + text)
  const made = ['--- a new file', connected(app.newFile ?? ''), '--- a usual file', ...changed]
  return [...looked, ...made, ''].join('\n')
}
