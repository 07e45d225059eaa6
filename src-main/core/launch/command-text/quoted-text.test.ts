import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'

import { type ShellCommand, shellText } from './quoted-text'
import type { ShellWord } from './quoted-word'

const text = (value: string): ShellWord => (value === '' ? [] : [{ kind: 'text', text: value }])
const variable = (name: string) => ({ kind: 'variable', name }) as const

function commandOf(...args: string[]): ShellCommand {
  return { command: 'npx', args: args.map(text), env: [] }
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'patchbay-shell-')))
const program = join(folder, 'tell me.mjs')
writeFileSync(
  program,
  'process.stdout.write(JSON.stringify([process.argv.slice(2), process.env, process.cwd()]))',
)
afterAll(() => rmSync(folder, { recursive: true }))

type LastGood = [args: string[], env: Record<string, string>, cwd: string]

/** Returns what a program receives when bash starts it with this text. */
function runInBash(command: ShellCommand, env: NodeJS.ProcessEnv = {}): LastGood {
  const line = shellText('posix', command).text
  const reported = execFileSync('bash', ['--norc', '-c', line], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(reported) as LastGood
}

/** Any text except NUL, which no argument can hold, and lone surrogates, which no program receives. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({
      unit: fc.constantFrom(...Array.from('\'"\\$`!*?[]{}()<>|&;#~=%^ \n\t\r\u001b7\u0085aé…')),
    }),
  )
  .filter((value) => !/\0|\p{Cs}/u.test(value))

describe('a command for bash', () => {
  it('passes exact argv, environment and folder, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), anyText, (args, value) => {
        const [gotArgs, env, cwd] = runInBash({
          command: process.execPath,
          args: [program, ...args].map(text),
          env: [{ name: 'MODE', word: text(value) }],
          cwd: folder,
        })
        expect(gotArgs).toEqual(args)
        expect(env.MODE).toBe(value)
        expect(cwd).toBe(folder)
      }),
      { numRuns: 60 },
    )
  })

  it('takes secrets from variables, even within a text', () => {
    const command: ShellCommand = {
      command: process.execPath,
      args: [text(program), [...text("Bearer 'x' "), variable('TOKEN'), ...text('$b')]],
      env: [{ name: 'TOKEN', word: [variable('TOKEN')] }],
    }
    const [args, env] = runInBash(command, { TOKEN: 'a "b" $c' })
    expect(args).toEqual(['Bearer \'x\' a "b" $c$b'])
    expect(env.TOKEN).toBe('a "b" $c')
    expect(shellText('posix', command).variables).toEqual(['TOKEN'])
  })

  it("sets variables whose names a shell doesn't allow", () => {
    const env = [{ name: 'my.var-1', word: text('a b') }]
    const got = runInBash({ command: process.execPath, args: [text(program)], env })
    expect(got[1]['my.var-1']).toBe('a b')
  })

  it('quotes a command that looks like an assignment or a keyword', () => {
    expect(shellText('posix', { command: 'a=b', args: [], env: [] }).text).toBe("'a=b'")
    expect(shellText('posix', { command: 'time', args: [], env: [] }).text).toBe("'time'")
  })

  it('leaves plain words unquoted', () => {
    expect(shellText('posix', commandOf('-y', '@scope/name@1.2.3', '--root', '/a b')).text).toBe(
      "npx -y @scope/name@1.2.3 --root '/a b'",
    )
    // zsh expands a leading = to the path of a command.
    expect(shellText('posix', commandOf('=ls')).text).toBe("npx '=ls'")
  })
})

describe('a command for PowerShell', () => {
  it.each([
    ['-y', '-y'],
    ['@scope/name@1.2.3', "'@scope/name@1.2.3'"],
    ['a,b', "'a,b'"],
    ['1', "'1'"],
    ['--%', "'--%'"],
    ['-a.b', "'-a.b'"],
    ['it’s', "'it’’s'"],
    ["it's", "'it''s'"],
    ['$env:PATH `n', "'$env:PATH `n'"],
    ['', "''"],
  ])('spells %j as %s', (value, written) => {
    expect(shellText('powershell', commandOf(value)).text).toBe(`& 'npx' ${written}`)
  })

  it('puts folder and variables before the call, and a secret as its variable', () => {
    const written = shellText('powershell', {
      command: 'npx',
      args: [[...text('Bearer "$x" '), variable('TOKEN')]],
      env: [
        { name: 'MODE', word: text('fast') },
        { name: 'my.var', word: text("a'b") },
        { name: 'TOKEN', word: [variable('TOKEN')] },
      ],
      cwd: String.raw`C:\my files`,
    })
    expect(written.text.split('\n')).toEqual([
      String.raw`Set-Location -LiteralPath 'C:\my files'`,
      "${env:MODE} = 'fast'",
      "${env:my.var} = 'a''b'",
      '& \'npx\' "Bearer `"`$x`" ${env:TOKEN}"',
    ])
    expect(written.variables).toEqual(['TOKEN'])
  })

  it('warns of what older versions drop', () => {
    expect(shellText('powershell', commandOf('say "hi"')).caution).toContain('7.3')
    expect(shellText('powershell', commandOf('')).caution).toContain('7.3')
    expect(shellText('powershell', commandOf('hi')).caution).toBeUndefined()
  })

  it('closes every quote', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const { text: written } = shellText('powershell', commandOf(value))
        const word = written.slice("& 'npx' ".length)
        if (!word.startsWith("'")) return
        const inner = word.slice(1, -1)
        expect(inner.replace(/(['\u2018-\u201b])\1/g, '')).not.toMatch(/['\u2018-\u201b]/)
        expect(inner.replace(/(['\u2018-\u201b])\1/g, '$1')).toBe(value)
      }),
    )
  })
})

describe('a command for cmd.exe', () => {
  it('quotes special characters and doubles backslashes before the last quote', () => {
    expect(
      shellText('cmd', commandOf('-y', 'a&b', String.raw`C:\my files\ `.trim(), '')).text,
    ).toBe(String.raw`npx -y "a&b" "C:\my files\\" ""`)
  })

  it('sets folder and variables first', () => {
    const env = [
      { name: 'MODE', word: text('a&b') },
      { name: 'KEY', word: [variable('KEY')] },
    ]
    const args = [[...text('Bearer '), variable('KEY')]]
    expect(shellText('cmd', { command: 'npx', args, env, cwd: String.raw`C:\x y` }).text).toBe(
      String.raw`cd /d "C:\x y" && set "MODE=a&b" && npx "Bearer %KEY%"`,
    )
  })

  it.each([
    ['100%', 'a percent sign'],
    ['a^b', 'a caret'],
    ['say "hi"', 'a double quote'],
    ['a\nb', 'a line break'],
    ['a\u001bb', 'a control character'],
  ])('rejects %j and names the reason', (value, word) => {
    expect(() => shellText('cmd', commandOf('ok', value))).toThrow(
      `Nothing was copied: Argument 2 contains ${word}`,
    )
  })
})

describe('a command as JSON', () => {
  it('is its argv list', () => {
    const args = [text('a b'), [...text('Bearer '), variable('KEY')]]
    expect(JSON.parse(shellText('json', { command: 'npx', args, env: [] }).text)).toEqual([
      'npx',
      'a b',
      'Bearer ${KEY}',
    ])
  })
})
