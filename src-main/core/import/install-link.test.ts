import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../e2e/fixtures/cpu-time'
import { lineOf, oneOf, read } from '../../../e2e/fixtures/pasted-text'
import { configurationOfLink } from './install-link'

const ENTRY = { command: 'npx', args: ['-y', 'notes-mcp', '--x=a+b/ü'], env: { MODE: 'fast' } }
const JSON_TEXT = JSON.stringify(ENTRY)
const BASE64 = Buffer.from(JSON_TEXT).toString('base64')
const WHOLE = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'Notes', ...ENTRY }))}`
const LINE = 'npx | -y | notes-mcp | --x=a+b/ü | MODE=fast'

describe('D8: a pasted install link', () => {
  it.each<[string, string]>([
    ['of Patchbay', `patchbay://install?name=Notes&config=${encodeURIComponent(BASE64)}`],
    [
      'of Patchbay, with JSON',
      `patchbay://install?name=Notes&config=${encodeURIComponent(JSON_TEXT)}`,
    ],
    ['of Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=Notes&config=${BASE64}`],
    [
      'of Cursor’s site',
      `https://cursor.com/en/install-mcp?name=Notes&config=${encodeURIComponent(BASE64)}`,
    ],
    [
      'in the other Base64 alphabet',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=Notes&config=${Buffer.from(JSON_TEXT).toString('base64url')}`,
    ],
    [
      'of VS Code',
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'Notes', ...ENTRY }))}`,
    ],
    [
      'of VS Code Insiders',
      `  vscode-insiders:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'Notes', ...ENTRY }))}\n`,
    ],
    [
      'of VS Code’s site',
      `https://insiders.vscode.dev/redirect/mcp/install?name=Notes&quality=insiders&config=${encodeURIComponent(JSON_TEXT)}`,
    ],
    [
      'of Cursor’s site in another language',
      `https://cursor.com/pt-BR/install-mcp?name=Notes&config=${encodeURIComponent(BASE64)}`,
    ],
    [
      'of Cursor’s site with its path escaped',
      `https://cursor.com/link/mcp%2Finstall?name=Notes&config=${encodeURIComponent(BASE64)}`,
    ],
    [
      'with a configuration that was encoded twice',
      `https://cursor.com/install-mcp?name=Notes&config=${Buffer.from(encodeURIComponent(JSON_TEXT)).toString('base64')}`,
    ],
    ['that redirects to VS Code', `https://vscode.dev/redirect?url=${encodeURIComponent(WHOLE)}`],
    [
      'that redirects to VS Code Insiders',
      `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(WHOLE.replace('vscode:', 'vscode-insiders:'))}`,
    ],
    ['of Visual Studio', WHOLE.replace('vscode:mcp/install', 'https://vs-open.link/mcp-install')],
    [
      'of Visual Studio’s short address',
      WHOLE.replace('vscode:mcp/install', 'https://aka.ms/vs/mcp-install'),
    ],
    ['of LM Studio', `lmstudio://add_mcp?name=Notes&config=${encodeURIComponent(BASE64)}`],
    [
      'of Kiro',
      `https://kiro.dev/launch/mcp/add?name=Notes&config=${encodeURIComponent(JSON_TEXT)}`,
    ],
    [
      'after a badge in Markdown',
      `[![Install](https://cursor.com/deeplink/mcp-install-dark.svg)](https://cursor.com/install-mcp?name=Notes&config=${encodeURIComponent(BASE64)})`,
    ],
    [
      'in angle brackets',
      `<cursor://anysphere.cursor-deeplink/mcp/install?name=Notes&config=${BASE64}>`,
    ],
    [
      'with a map from name to entry',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${encodeURIComponent(JSON.stringify({ Notes: ENTRY }))}`,
    ],
  ])('%s is read as its configuration', async (_, link) => {
    const one = await oneOf(link)
    expect(one.wanted).toBe('Notes')
    expect(lineOf(one)).toBe(LINE)
  })

  it('requests the inputs that it names', () => {
    const inputs = [{ id: 'token', type: 'promptString', password: true }]
    const config = { command: 'npx', args: ['a'], env: { TOKEN: '${input:token}' } }
    const query = `name=Notes&inputs=${encodeURIComponent(JSON.stringify(inputs))}&config=${encodeURIComponent(JSON.stringify(config))}`
    const link = configurationOfLink(`https://vscode.dev/redirect/mcp/install?${query}`)
    expect(JSON.parse(link?.text ?? '')).toEqual({ mcpServers: { Notes: config }, inputs })
  })

  it.each<[string, string, string]>([
    ['no name', 'patchbay://install?config=e30', '“name” is missing'],
    ['no configuration', 'patchbay://install?name=a', '“config” is missing'],
    [
      'two configurations',
      `patchbay://install?name=a&config=${BASE64}&config=e30`,
      'duplicate “config”',
    ],
    ['an invalid configuration', 'patchbay://install?name=a&config=%ZZ', 'invalid URL encoding'],
    [
      'Base64 of other data',
      'patchbay://install?name=a&config=AAECAw',
      '“config” isn’t valid JSON',
    ],
    ['bytes that aren’t text', 'patchbay://install?name=a&config=_____w', 'isn’t UTF-8'],
    [
      'another action',
      'patchbay://run?name=a&config=e30',
      '“patchbay://run” isn’t a link that installs a server',
    ],
    ['another site', 'https://cursor.com.evil.example/install-mcp', 'no install link'],
    [
      'a server.json',
      `patchbay://install?name=a&config=${encodeURIComponent('{"name":"a/b","packages":[]}')}`,
      'the link contains a server.json',
    ],
    [
      'a target that installs nothing',
      `https://vscode.dev/redirect?url=${encodeURIComponent('https://vscode.dev/redirect?url=vscode%3Aextension')}`,
      'which installs no server',
    ],
    ['no program and no address', 'goose://extension?name=a', '“cmd” and “url” are missing'],
    ['a line break', `patchbay://install?name=a\n&config=${BASE64}`, 'spaces or line breaks'],
    [
      'too many characters',
      `patchbay://install?name=a&config=${'a'.repeat(100_001)}`,
      'more than 100000 characters',
    ],
    [
      'a long name',
      `patchbay://install?name=${'a'.repeat(121)}&config=e30`,
      'more than 120 characters',
    ],
  ])('with %s is rejected with the reason', async (_, link, reason) => {
    if (reason === 'no install link') expect(configurationOfLink(link)).toBeUndefined()
    else await expect(read(link)).rejects.toThrow(reason)
  })

  it.each([
    [
      'of a program',
      'cmd=npx&arg=-y&arg=notes-mcp&name=My+Notes&env=MODE%3DThe%20mode',
      'npx | -y | notes-mcp | MODE=',
    ],
    [
      'of an address',
      'url=https%3A%2F%2Fmcp.acme.example%2Fmcp&type=streamable_http&name=My+Notes',
      'streamable-http | https://mcp.acme.example/mcp',
    ],
  ])('of Goose %s is read, with the names of required values', async (_, query, line) => {
    const one = await oneOf(`goose://extension?${query}&id=notes&description=Notes`)
    expect(one.wanted).toBe('My Notes')
    expect(lineOf(one)).toBe(line)
  })

  it('with plus signs for spaces is read with spaces', async () => {
    const config = JSON.stringify({ command: 'npx', args: ['-y', 'notes-mcp'] }, null, 1)
    const query = new URLSearchParams({ name: 'Notes', config }).toString()
    const one = await oneOf(`https://vscode.dev/redirect/mcp/install?${query}`)
    expect(lineOf(one)).toBe('npx | -y | notes-mcp')
  })

  it('names irrelevant parameters, except those that count visits', async () => {
    const link = `patchbay://install?name=a&config=${BASE64}&dxtPath=%2Fx&utm_source=readme`
    const one = await oneOf(link)
    expect(lineOf(one)).toBe(LINE)
    expect(one.drafted.notices.map(({ path }) => path)).toEqual(['dxtPath'])
  })

  it('carries any entry unchanged, and nothing else', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((one) => one.isWellFormed())
    const entry = fc.record({ command: text, args: fc.array(text), env: fc.dictionary(text, text) })
    const name = text.filter((one) => one.trim() !== '' && one !== '__proto__')
    fc.assert(
      fc.property(name, entry, fc.boolean(), (title, config, isPlain) => {
        const written = JSON.stringify(config)
        const packed = isPlain ? written : Buffer.from(written).toString('base64')
        const query = `name=${encodeURIComponent(title)}&config=${encodeURIComponent(packed)}`
        const carried = configurationOfLink(`patchbay://install?${query}`)
        const whole = { mcpServers: { [title]: JSON.parse(written) as unknown } }
        expect(JSON.parse(carried?.text ?? '')).toEqual(whole)
      }),
    )
  })

  it.each(['=', 'a', '-_', '?', '&', '%41', 'name=a&'])(
    'is parsed quickly, even with many “%s”',
    (part) => {
      const link = `patchbay://install?name=a&config=${part.repeat(99_000 / part.length)}.`
      const took = cpuMsOf(() => expect(() => configurationOfLink(link)).toThrow())
      expect(took).toBeLessThan(1_000)
    },
  )

  it('is never found in a text that starts with a brace', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(configurationOfLink(`{${text}`)).toBeUndefined()
      }),
    )
  })
})
