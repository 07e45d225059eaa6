import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { ROOT } from '../toolchain.mjs'

const GITHUB = join(ROOT, '.github')
const PINNED = /^\s*(?:- )?uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts

function textsIn(folder) {
  return readdirSync(join(GITHUB, folder)).map((name) => [
    name,
    readFileSync(join(GITHUB, folder, name), 'utf8'),
  ])
}

const workflows = textsIn('workflows').map(([name, text]) => ({ name, text, ...parse(text) }))

describe.each(workflows)('D8: the workflow $name', ({ text, permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('pins each action to a commit, with its version', () => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'))
    expect(uses.length).toBeGreaterThan(0)
    expect(uses.filter((line) => !PINNED.test(line))).toEqual([])
  })

  it('only reads unless a job says otherwise, with a time limit per job', () => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0)
  })

  it('keeps no credentials in the checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts.length).toBeGreaterThan(0)
    for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false })
  })

  it('puts no expression into a shell script', () => {
    const commands = steps.flatMap(({ run }) => run ?? [])
    expect(commands.filter((command) => command.includes('${{'))).toEqual([])
  })

  it('waits only for existing jobs', () => {
    for (const { needs = [] } of Object.values(jobs))
      for (const job of [needs].flat()) expect(Object.keys(jobs)).toContain(job)
  })

  it('runs only existing scripts of the project', () => {
    const names = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

describe('D8: the issue forms', () => {
  it.each(textsIn('ISSUE_TEMPLATE').filter(([name]) => name !== 'config.yml'))(
    '%s has a name, a description and fields',
    (_name, text) => {
      const { name, description, body } = parse(text)
      expect([name, description].every((one) => typeof one === 'string')).toBe(true)
      const fields = body.filter(({ type }) => type !== 'markdown')
      expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    },
  )
})
