import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { lineOf, oneOf } from '../../../e2e/fixtures/pasted-text'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { toServerJson } from '../../../src-shared/form/custom-server'
import { buildCommandPlan } from '../launch/building/build-launch-plan'

describe('C9: secrets of a configuration', () => {
  const key = 'sk-abcdefghijklmnopqrstuvwx'
  const entry = {
    command: 'x',
    args: [
      '--api-key=abc',
      '--token',
      'def',
      '--header',
      'Authorization: Bearer ghi',
      '-e',
      'PASSWORD=jkl',
      key,
      '--mode',
      'm',
    ],
    env: {
      API_KEY: 'mno',
      DATABASE_URL: 'postgres://me:pqr@db/x',
      PUBLIC_KEY: 'open',
      TOKEN_URL: 'https://t',
    },
  }

  it('are found by name and by look, without the text around them', async () => {
    expect(lineOf(await oneOf(entry))).toBe(
      `x | --api-key=«abc» | --token | «def» | --header | Authorization: Bearer «ghi» | -e | PASSWORD=«jkl» | «${key}» | --mode | m | ` +
        'API_KEY=«mno» | DATABASE_URL=postgres://me:«pqr»@db/x | PUBLIC_KEY=open | TOKEN_URL=https://t',
    )
    const remote = {
      url: 'https://a.example/mcp?api_key=k1&mode=x&token=k2',
      headers: { Authorization: 'Bearer k3', 'X-Api-Key': 'k4', Accept: 'text/plain' },
    }
    expect(lineOf(await oneOf(remote))).toBe(
      'streamable-http | https://a.example/mcp?api_key=«k1»&mode=x&token=«k2» | Authorization: Bearer «k3» | X-Api-Key: «k4» | Accept: text/plain',
    )
  })

  it.each([
    ['--env=API_KEY=hunter2hunter2', '--env=API_KEY=«hunter2hunter2»'],
    ['-e API_KEY=hunter2', '-e API_KEY=«hunter2»'],
    ['--token hunter2', '--token «hunter2»'],
    ['--header=Authorization: Bearer abcdefghijk', '--header=Authorization: Bearer «abcdefghijk»'],
    ['--header=X-Api-Key:zzzzzzzz', '--header=X-Api-Key:«zzzzzzzz»'],
    ['--auth-header=Bearer abcdefghijk', '--auth-header=Bearer «abcdefghijk»'],
    [
      '--dsn=Server=h;User=sa;Password=hunter 2;Pooling=no',
      '--dsn=Server=h;User=sa;Password=«hunter 2»;Pooling=no',
    ],
    ['--dsn=host=h password=hunter2 dbname=x', '--dsn=host=h password=«hunter2» dbname=x'],
    ['--db=postgres://me:hunt@er2@db/x', '--db=postgres://me:«hunt@er2»@db/x'],
    ['--url=https://a.example/#token=abc', '--url=https://a.example/#token=«abc»'],
    ['--headers={"X-Api-Key": "abc", "A": "b"}', '--headers={"X-Api-Key": "«abc»", "A": "b"}'],
    ['--env=MODE=fast', '--env=MODE=fast'],
    ['--url=https://a.example:8080/x', '--url=https://a.example:8080/x'],
    ['--token=${MISSING}abc', '--token=«${MISSING}abc»'],
    ['https://a.example?token=${MISSING}&mode=x', 'https://a.example?token=«»&mode=x'],
  ])('are found under other names and inside values: %s', async (text, expected) => {
    expect(lineOf(await oneOf({ command: 'x', args: [text] }))).toBe(`x | ${expected}`)
  })

  it.each([
    ...['{{MY_KEY}}', '{{ my-key }}', '{API_KEY}', '[[key]]', '$MY_KEY', '%MY_KEY%', '@MY_KEY@'],
    ...['__MY_KEY__', 'env://MY_KEY', 'Bearer {{token}}'],
  ])('are missing if an unknown placeholder replaces them: %s', async (text) => {
    const entry = { command: 'x', args: ['--api-key', text], env: { API_TOKEN: text } }
    const { drafted } = await oneOf(entry)
    const typed = JSON.stringify(drafted.made).matchAll(/"secret":"([^"]*)"/gu)
    expect([...typed].map(([, secret]) => secret).filter((secret) => secret !== '')).toEqual([])
    expect(drafted.notices.map(({ message }) => message)).toEqual([
      expect.stringContaining('is not defined and is not replaced. Enter a value instead.'),
      expect.stringContaining('is not defined and is not replaced. Enter a value instead.'),
    ])
  })

  it.each([
    '{abc',
    'a{b}c',
    'pa$$word',
    '$2b$10$abcdefgh',
    '100%sure',
    'env:x',
    '__x',
    '$ecret',
    '{9}',
  ])('are kept if they only contain characters of a placeholder: %s', async (text) => {
    const line = lineOf(await oneOf({ command: 'x', env: { API_TOKEN: text } }))
    expect(line).toBe(`x | API_TOKEN=«${text}»`)
  })

  it('are found by one-word names, in every place of an entry', async () => {
    const env = { PGPASSWORD: 'one', GHTOKEN: 'two', MAX_TOKENS: '4096', TOKEN_LIMIT: '9' }
    const args = [
      '--dbpassword=three',
      '--openaikey',
      'four',
      '--keyboard',
      'us',
      '-e',
      'GHTOKEN=x',
    ]
    expect(lineOf(await oneOf({ command: 'x', args, env }))).toBe(
      'x | --dbpassword=«three» | --openaikey | «four» | --keyboard | us | -e | GHTOKEN=«x» | ' +
        'PGPASSWORD=«one» | GHTOKEN=«two» | MAX_TOKENS=4096 | TOKEN_LIMIT=9',
    )
    const url = 'https://a.example/mcp?ghtoken=five&pagesize=2'
    expect(lineOf(await oneOf({ url, headers: { 'X-Dbpassword': 'six' } }))).toBe(
      'streamable-http | https://a.example/mcp?ghtoken=«five»&pagesize=2 | X-Dbpassword: «six»',
    )
  })

  it('are found in variables with several values', async () => {
    const env = {
      DB: 'Server=h;User=sa;Password=hunter2',
      SQL: 'Pwd=hunter2;Server=h',
      OPTIONS: '--mode fast --token=hunter2',
      HEADERS: '{"Authorization": "Bearer hunter2"}',
    }
    expect(lineOf(await oneOf({ command: 'x', env }))).toBe(
      'x | DB=Server=h;User=sa;Password=«hunter2» | SQL=Pwd=«hunter2»;Server=h | ' +
        'OPTIONS=--mode fast --token=«hunter2» | HEADERS={"Authorization": "Bearer «hunter2»"}',
    )
  })

  it("are found next to a placeholder, under a secret's name", async () => {
    const env = {
      DB_PASSWORD: 'hunter2${TENANT}',
      AUTH: '${A}:${B}',
      AUTHORIZATION: 'Bearer ${A}',
      AREA: 'in-${TENANT}',
    }
    expect(lineOf(await oneOf({ command: 'x', env }))).toBe(
      'x | DB_PASSWORD=«hunter2${TENANT}» | AUTH=«»:«» | AUTHORIZATION=Bearer «» | AREA=in-«»',
    )
  })

  it.each(['a$HOME/b${x}c$$d', 'R9${x}q!', 'pa$USER-word', '${userHome}1', '${input:key}s'])(
    'are never filled in: %s (X3)',
    async (secret) => {
      const entry = { command: 'x', args: ['--token', secret], env: { API_KEY: secret } }
      const taken = { environment: ['HOME', 'USER', 'x'] }
      expect(lineOf(await oneOf(entry, [taken]))).toBe(
        `x | --token | «${secret}» | API_KEY=«${secret}»`,
      )
    },
  )

  it('reach the server with every pasted byte', async () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom('"', "'", '%', '`', '$', ' ', '\\', '\t', '${x}', '$HOME', '%PATH%'),
          fc.string(),
        ),
      )
      .map((parts) => `R9${parts.join('')}`.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(text, async (secret) => {
        const server = await oneOf({ command: 'x', env: { API_KEY: secret } })
        const hand = toServerJson(server.drafted.made)
        if (hand.offer.kind !== 'package') throw new Error('no command')
        const secrets = new Map(Object.entries(hand.values).map(([key, one]) => [key, String(one)]))
        const { env } = buildCommandPlan(hand.offer.pkg, {}, secrets)
        expect(env.map(({ value, shown }) => [value, shown])).toEqual([[secret, SECRET_MASK]])
      }),
    )
  })

  it("stay plain if the user says that they aren't secret", async () => {
    const { drafted } = await oneOf(entry, [{ open: ['args[0]', 'env.API_KEY'] }])
    expect(lineOf(await oneOf(entry, [{ open: ['args[0]', 'env.API_KEY'] }]))).toMatch(
      /^x \| --api-key=abc \| .* \| API_KEY=mno \|/,
    )
    expect(drafted.secrets.map(({ id, isKept }) => `${id} ${String(isKept)}`)).toEqual([
      'args[0] false',
      'args[2] true',
      'args[4] true',
      'args[6] true',
      'args[7] true',
      'env.API_KEY false',
      'env.DATABASE_URL true',
    ])
  })

  it('are requested if an example replaces them', async () => {
    const examples = {
      A_KEY: '<your key>',
      B_KEY: 'YOUR_API_KEY',
      C_KEY: 'xxxx',
      D_KEY: 'your-token-here',
    }
    expect(lineOf(await oneOf({ command: 'x', env: examples }))).toBe(
      'x | A_KEY=«» | B_KEY=«» | C_KEY=«» | D_KEY=«»',
    )
  })
})
