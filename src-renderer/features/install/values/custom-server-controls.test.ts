import type { FieldErrors } from 'react-hook-form'
import { describe, expect, it } from 'vitest'

import {
  type CustomServer,
  openText,
} from '../../../../src-shared/domain/installation/custom-server'
import { draftResolver } from '../editing/use-install-form'
import {
  type CustomServerFieldParts,
  customServerOf,
  editedParts,
  type EditedText,
  isBlank,
} from './custom-server-controls'
import { formControls, knownProblems } from './form-controls'
import { type CheckedDraft, type InstallDraft, protocolChoice } from './install-values'

const MADE: CustomServer = {
  kind: 'command',
  command: 'node',
  args: [
    [],
    [
      { kind: 'text', text: '--key=' },
      { kind: 'saved', fieldKey: 'arg_key' },
    ],
  ],
  env: [{ name: 'TOKEN', value: [{ kind: 'secret', secret: '' }] }],
}
const FAR: CustomServer = {
  kind: 'address',
  type: 'sse',
  url: openText('https://a.example'),
  headers: [
    {
      name: 'Authorization',
      value: [...openText('Bearer '), { kind: 'stored', secretId: 'team' }],
    },
  ],
}
const LIMITS = { install: '', handshake: '', discover: '', call: '', ...protocolChoice() }
const rules = { fields: [], savedSecrets: [], takenNames: ['Taken'], storedIds: ['team'] }
const rowOf = (name: string, value: EditedText = openText('x')) => ({ name, value })

async function check(
  customServer: CustomServerFieldParts,
  change: Partial<InstallDraft> = {},
  known = rules,
) {
  const draft = {
    name: 'Mine',
    cwd: '',
    ...LIMITS,
    values: {},
    secrets: {},
    customServer,
    ...change,
  }
  const options = { fields: {}, shouldUseNativeValidation: false }
  const result = await draftResolver(known)(draft, undefined, options)
  const errors = result.errors as FieldErrors<InstallDraft>
  const problems = knownProblems(errors, formControls(draft, []))
  return {
    values: result.values as CheckedDraft,
    ids: problems.map(({ elementId }) => elementId),
    labels: problems.map(({ label }) => label),
    fieldPaths: problems.map(({ fieldRef }) => fieldRef?.fieldKey),
  }
}

describe('parts of a custom server', () => {
  it('are sent as they were read, with saved secrets by field and empty arguments', () => {
    expect(customServerOf(editedParts(MADE))).toEqual(MADE)
    expect(customServerOf(editedParts(FAR))).toEqual(FAR)
  })

  it('are incomplete with an untyped or a removed secret', async () => {
    const removed: EditedText = [{ kind: 'secret', secret: '', fieldKey: 'arg_key' }]
    const parts = editedParts(MADE)
    expect((await check(parts)).fieldPaths).toEqual(['env.0.value'])
    const found = await check({ ...parts, args: [rowOf('', []), rowOf('', removed)] })
    expect(found.fieldPaths).toEqual(['args.1', 'env.0.value'])
    expect(found.labels).toEqual(['Argument 2', 'TOKEN'])
  })

  it('omit empty lines, and number the others like main', async () => {
    const env = [rowOf('', []), rowOf('A=B', []), rowOf('', openText('')), rowOf('', openText('v'))]
    const parts = { ...editedParts(MADE), env }
    expect(customServerOf(parts)).toMatchObject({ env: [{ name: 'A=B' }, { name: '' }] })
    const found = await check(parts)
    expect(found.fieldPaths).toEqual(['env.0.name', 'env.1.name'])
    expect(found.ids).toEqual(['customServer-env.1.name', 'customServer-env.3.name'])
    expect(found.labels).toEqual(['Variable A=B', 'Variable 2'])
  })

  it('report their problems in page order', async () => {
    const change = { name: ' taken ', cwd: 'here', install: 'x' }
    const env = [rowOf('A'), rowOf('A')]
    expect((await check({ ...editedParts(MADE), command: '', env }, change)).ids).toEqual([
      'server-name',
      'customServer-command',
      'customServer-env.1.name',
      'working-folder',
      'install-limit',
    ])
  })

  it('contain a shared secret by id, and a removed one is a problem', async () => {
    const { values, ids } = await check(editedParts(FAR))
    expect([values.made, ids]).toEqual([FAR, []])
    const gone = await check(editedParts(FAR), {}, { ...rules, storedIds: ['other'] })
    expect(gone.fieldPaths).toEqual(['headers.0.value'])
  })

  it('have no folder and no start limits for an address', async () => {
    const change = { cwd: 'here', install: 'x', call: '0' }
    expect((await check(editedParts(FAR), change)).ids).toEqual(['call-limit'])
    const made = { ...MADE, env: [] }
    expect((await check(editedParts(made), change)).ids).toEqual([
      'working-folder',
      'install-limit',
      'call-limit',
    ])
  })

  it('count as blank lines, which Backspace removes, only without text and lock', () => {
    const locked: EditedText = [{ kind: 'secret', secret: '' }]
    const rows = [rowOf('', []), rowOf('A', []), rowOf(''), rowOf('', locked)]
    expect(rows.map(isBlank)).toEqual([true, false, false, false])
  })
})
