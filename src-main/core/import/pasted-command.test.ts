import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { lineOf, oneOf, read } from '../../../e2e/fixtures/pasted-text'
import { configurationOfCommand } from './pasted-configuration'

const REMOTE = 'https://mcp.acme.example/mcp'
const ADDRESS = `streamable-http | ${REMOTE}`

describe('F11: a pasted command', () => {
  it.each([
    ['npx', 'npx -y notes-mcp@1.2.3', 'npx | -y | notes-mcp@1.2.3'],
    [
      'after a prompt sign',
      '$ uvx notes-mcp --root "/my notes"',
      'uvx | notes-mcp | --root | /my notes',
    ],
    ['in a Markdown fence', '```bash\nnpx -y notes-mcp\n```', 'npx | -y | notes-mcp'],
    [
      'on several lines',
      'docker run -i --rm \\\n  -e TOKEN \\\n  acme/notes',
      'docker | run | -i | --rm | -e | TOKEN | acme/notes',
    ],
    ['with a preceding variable', 'MODE=fast npx -y notes-mcp', 'npx | -y | notes-mcp | MODE=fast'],
    ['run by cmd', 'cmd /c npx -y notes-mcp', 'npx | -y | notes-mcp'],
    ['with an address', REMOTE, ADDRESS],
  ])('%s is read as an entry', async (_, text, line) => {
    expect(lineOf(await oneOf(text))).toBe(line)
  })

  it.each([
    ['Claude Code', 'claude mcp add notes -- npx -y notes-mcp', 'npx | -y | notes-mcp'],
    [
      'Claude Code, with options',
      'claude mcp add --scope user -e MODE=fast --env KIND=b notes -- npx -y notes-mcp --scope x',
      'npx | -y | notes-mcp | --scope | x | MODE=fast | KIND=b',
    ],
    [
      'Claude Code, with an address',
      `claude mcp add --transport http notes ${REMOTE} --header "X-Kind: a"`,
      `${ADDRESS} | X-Kind: a`,
    ],
    [
      'Claude Code, as JSON',
      `claude mcp add-json notes '{"command":"npx","args":["-y","notes-mcp"]}'`,
      'npx | -y | notes-mcp',
    ],
    [
      'Codex',
      'codex mcp add notes --env MODE=fast -- npx -y notes-mcp',
      'npx | -y | notes-mcp | MODE=fast',
    ],
    ['Codex, with an address', `codex mcp add notes --url ${REMOTE}`, ADDRESS],
    [
      'Codex, with the variable of a token',
      `codex mcp add notes --url ${REMOTE} --bearer-token-env-var NOTES_TOKEN`,
      `${ADDRESS} | Authorization: Bearer «»`,
    ],
    [
      'Claude Code, with an unknown option',
      'claude mcp add --verbose notes -- npx -y notes-mcp',
      'npx | -y | notes-mcp',
    ],
    ['Gemini', 'gemini mcp add -s user notes npx -y notes-mcp', 'npx | -y | notes-mcp'],
    [
      'VS Code',
      `code --add-mcp '{"name":"notes","command":"npx","args":["-y","notes-mcp"]}'`,
      'npx | -y | notes-mcp',
    ],
  ])('that adds a server to %s is read with its name', async (_, text, line) => {
    const one = await oneOf(text)
    expect(one.wanted).toBe('notes')
    expect(lineOf(one)).toBe(line)
  })

  it.each([
    ['an open quote', 'npx -y "notes', 'a quote is not closed'],
    ['a shell operator', 'npx -y notes && rm x', '“&&” is for a shell'],
    ['no program', 'claude mcp add notes', 'it names no program and no address'],
    ['broken JSON', "claude mcp add-json notes '{'", 'its configuration isn’t valid JSON'],
    ['several commands', 'npx -y a\nnpx -y b', 'it has several lines'],
    ['words only', 'my notes', 'no configuration, install link, command, or address'],
  ])('with %s is rejected with the reason', async (_, text, reason) => {
    await expect(read(text)).rejects.toThrow(reason)
  })

  it.each(['{"command":"npx"}', '[]', 'plain words', ''])("isn't recognized in “%s”", (text) => {
    expect(configurationOfCommand(text)).toBeUndefined()
  })
})

describe('F11: a command of another system or of a shell', () => {
  const commandOf = (entry: object) => oneOf({ mcpServers: { a: entry } })

  it.each<[string, object, string]>([
    [
      'in one text',
      { command: "uvx notes-mcp --root '/my notes'" },
      'uvx | notes-mcp | --root | /my notes',
    ],
    [
      'in one text with its arguments',
      { command: 'env A=1 node x.js', args: ['-v'] },
      'env | A=1 | node | x.js | -v',
    ],
    [
      'after cmd /c',
      { command: 'cmd', args: ['/c', 'npx', '-y', 'notes-mcp'] },
      'npx | -y | notes-mcp',
    ],
    ['with .cmd', { command: 'npx.cmd', args: ['-y', 'notes-mcp'] }, 'npx | -y | notes-mcp'],
    [
      'at a Windows path',
      { command: 'C:\\Program Files\\nodejs\\npx.cmd', args: ['-y', 'notes-mcp'] },
      'npx | -y | notes-mcp',
    ],
  ])('%s is read with one notice', async (_, entry, line) => {
    const one = await commandOf(entry)
    expect(lineOf(one)).toBe(line)
    expect(one.drafted.notices).toHaveLength(1)
  })

  it('in the home folder gets its full path, and a notice if an argument is there', async () => {
    const one = await commandOf({ command: '~/bin/launch', args: ['~/notes'], cwd: '~/proj' })
    expect(lineOf(one)).toBe('/home/mara/bin/launch | ~/notes')
    expect(one.drafted.cwd).toBe('/home/mara/proj')
    expect(one.drafted.notices).toMatchObject([{ path: 'mcpServers.a.args[0]' }])
  })

  it('at a relative path in a relative folder gets one notice with advice', async () => {
    const { drafted } = await commandOf({ command: './bin/launch', args: [], cwd: 'sub' })
    expect(drafted.notices).toMatchObject([
      { message: expect.stringContaining('Enter the full path') as string },
    ])
  })

  it('that is a file with spaces in its name stays whole', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'command '))
    const program = join(folder, 'my server')
    writeFileSync(program, '')
    expect(lineOf(await commandOf({ command: program }))).toBe(program)
    rmSync(folder, { recursive: true })
  })
})
