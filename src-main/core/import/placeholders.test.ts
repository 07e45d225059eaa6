import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { lineOf, oneOf } from '../../../e2e/fixtures/pasted-text'
import { toServerJson } from '../../../src-shared/form/custom-server'
import { NOTHING_CHOSEN, readServer, withName } from './read-server'
import { treeOf } from './text/json-tree'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-configuration-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('C9: placeholders of a configuration', () => {
  it('request what an input names and use its default, except as a password', async () => {
    const server = await oneOf({
      servers: {
        one: {
          command: 'x',
          args: ['${input:mode}', '--token=${input:token}'],
          env: { A: '${input:none}' },
        },
      },
      inputs: [
        { type: 'promptString', description: 'Without an id' },
        { id: 'mode', type: 'pickString', description: 'Mode', default: 'fast' },
        {
          id: 'token',
          type: 'promptString',
          description: 'Your token',
          password: true,
          default: 'no',
        },
      ],
    })
    expect(lineOf(server)).toBe('x | fast | --token=«» | A=«»')
    expect(server.drafted.notices.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'servers.one.args[1] Asks for: Your token',
      'servers.one.env.A Asks for: none',
    ])
  })

  const asking = {
    command: 'x',
    args: ['${env:REGION}', '$REGION', '${REGION:-us-1}', '${MISSING:-none}', 'a$b'],
    env: { GITHUB_TOKEN: '${GITHUB_TOKEN}', AREA: 'in-${env:REGION}' },
  }

  it("use no variable of Patchbay's environment before the user agrees", async () => {
    const server = await oneOf(asking)
    expect(lineOf(server)).toBe(
      'x | «» | $REGION | us-1 | none | a$b | GITHUB_TOKEN=«» | AREA=in-«»',
    )
    expect([...server.drafted.inputs]).toEqual(['REGION', 'MISSING', 'GITHUB_TOKEN'])
  })

  it('use variables that the user agreed to, a token as a secret', async () => {
    const agreed = { environment: ['REGION', 'MISSING', 'GITHUB_TOKEN'] }
    expect(lineOf(await oneOf(asking, [agreed]))).toBe(
      'x | eu-1 | eu-1 | eu-1 | none | a$b | GITHUB_TOKEN=«own-github-token» | AREA=in-eu-1',
    )
  })

  it('resolve the home folder, and are reported if only an editor knows their value', async () => {
    const server = await oneOf({
      command: 'x',
      args: ['${userHome}/a', '${HOME}', '${workspaceFolder}/b', '${command:pick}'],
      cwd: '${workspaceFolder}',
    })
    expect(lineOf(server)).toBe(
      'x | /home/mara/a | /home/mara | ${workspaceFolder}/b | ${command:pick}',
    )
    expect(server.drafted.cwd).toBeUndefined()
    expect(server.drafted.notices.map(({ path }) => path)).toEqual(['args[2]', 'args[3]', 'cwd'])
    expect((await oneOf({ command: 'x', cwd: '~/notes' })).drafted.cwd).toBe('/home/mara/notes')
  })

  it("don't include $NAME in a pasted configuration, not even the home folder (X3)", async () => {
    const entry = { command: 'x', args: ['$HOME/notes', '$schema', 'a$$b'] }
    expect(lineOf(await oneOf(entry))).toBe('x | $HOME/notes | $schema | a$$b')
  })

  it('stay as written if the user says so', async () => {
    const kept = { asWritten: ['REGION', 'GITHUB_TOKEN'] }
    expect(lineOf(await oneOf(asking, [kept]))).toBe(
      'x | ${env:REGION} | $REGION | ${REGION:-us-1} | none | a$b | GITHUB_TOKEN=«${GITHUB_TOKEN}» | AREA=in-${env:REGION}',
    )
  })

  it.each([
    ['variable', 'x | eu-1/a | /home/mara/a'],
    ['text', 'x | $REGION/a | $HOME/a'],
  ] as const)('include $NAME depending on the app: as a %s', async (bareNames, expected) => {
    const node = treeOf({ command: 'x', args: ['$REGION/a', '$HOME/a'] })
    const server = await readServer(
      { name: 'one', path: '', node },
      {
        choice: { ...NOTHING_CHOSEN, environment: ['REGION'] },
        home: '/home/mara',
        inputs: new Map(),
        environment: { REGION: 'eu-1' },
        bareNames,
      },
    )
    expect(lineOf(withName(server, 0, new Set()))).toBe(expected)
  })

  it("use a file of variables only if the user says so, and the entry's own variables win", async () => {
    const path = join(folder, '.env')
    writeFileSync(path, '# keys\nA=one\nexport B="two words"\nMODE=slow\n')
    const entry = { command: 'x', env: { MODE: 'fast' }, envFile: path }
    expect(lineOf(await oneOf(entry))).toBe('x | MODE=fast')
    expect(lineOf(await oneOf(entry, [{ envFile: true }]))).toBe(
      'x | MODE=fast | A=«one» | B=«two words»',
    )
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, n) => `N${String(n)}=${String(n)}`).join('\n')
    const large = join(folder, 'large')
    writeFileSync(large, lines(400))
    expect((await oneOf({ command: 'x', envFile: large }, [{ envFile: true }])).fileRead).toEqual({
      kind: 'read',
      pairs: expect.objectContaining({ length: 400 }) as unknown,
    })
    writeFileSync(large, lines(401))
    expect((await oneOf({ ...entry, envFile: large }, [{ envFile: true }])).fileRead).toEqual({
      kind: 'failed',
      problem: `${large} has more than 400 variables.`,
    })
    const inFile = { ...entry, envFile: join(path, 'a.env') }
    expect((await oneOf(inFile, [{ envFile: true }])).fileRead).toEqual({
      kind: 'failed',
      problem: `${join(path, 'a.env')} couldn’t be read (ENOTDIR).`,
    })
    const missing = { ...entry, envFile: join(folder, 'none') }
    expect((await oneOf(missing, [{ envFile: true }])).fileRead).toMatchObject({ kind: 'failed' })
    expect((await oneOf({ ...entry, envFile: folder }, [{ envFile: true }])).fileRead).toEqual({
      kind: 'failed',
      problem: `${folder} isn’t a file.`,
    })
  })
})

describe('F11: placeholders of other apps', () => {
  const entryWith = (members: object) => ({ mcpServers: { a: { command: 'node', ...members } } })

  it('that name a variable of the entry stay, without a request', async () => {
    const args = ['--header', 'Authorization:${AUTH_HEADER}', '--token', '${TOKEN}']
    const env = { AUTH_HEADER: 'Bearer demo-0123456789abcdef', TOKEN: '${env:TOKEN}' }
    const { drafted } = await oneOf(entryWith({ args, env }))
    if (drafted.made.kind !== 'command') throw new Error('no command')
    expect(drafted.made.args[1]).toEqual([{ kind: 'text', text: 'Authorization:${AUTH_HEADER}' }])
    // A self-reference has its value elsewhere.
    expect([...drafted.inputs]).toEqual(['TOKEN'])
  })

  it.each<[string, string, string[]]>([
    ['OpenCode', '{env:GH_PAT}', ['GH_PAT']],
    ['Continue', '${{ secrets.GH_PAT }}', []],
    ['OpenCode, from a file', '{file:~/.token}', []],
    ['a plugin', '${CLAUDE_PLUGIN_ROOT}', []],
  ])("of %s are requested, and never taken as a secret's value", async (_, text, asked) => {
    const { drafted } = await oneOf(entryWith({ env: { GITHUB_TOKEN: text } }))
    if (drafted.made.kind !== 'command') throw new Error('no command')
    expect([...drafted.inputs]).toEqual(asked)
    expect(drafted.secrets).toEqual([])
    expect(drafted.made.env[0]?.value.at(-1)).toMatchObject({ kind: 'secret', secret: '' })
  })

  it('name the field for their value', async () => {
    const { drafted } = await oneOf(
      entryWith({ args: ['${{ secrets.GH_PAT }}', '${extensionPath}/x'] }),
    )
    const { server } = toServerJson(drafted.made)
    const [whole, part] = server.packages[0]?.packageArguments ?? []
    expect(whole).toMatchObject({ valueHint: 'GH_PAT' })
    expect(Object.keys(part?.variables ?? {})).toEqual(['extensionPath'])
  })

  it("that are unknown aren't secrets in place of one", async () => {
    const { drafted } = await oneOf(entryWith({ env: { MY_TOKEN: '${config:foo.bar}' } }))
    expect([drafted.secrets, drafted.notices.length]).toEqual([[], 1])
  })

  it.each(['%APPDATA%\\npm\\index.js', '${config:foo.bar}'])(
    'that are unknown, as in %s, cause a notice and stay',
    async (text) => {
      const { drafted } = await oneOf(entryWith({ args: [text] }))
      expect(drafted.notices.map(({ message }) => message).join()).toContain('is not defined')
      expect(drafted.secrets.map(({ label }) => label)).not.toContain(text)
      expect(lineOf(await oneOf(entryWith({ args: [text] })))).toContain(text.split('\\')[0])
    },
  )
})
