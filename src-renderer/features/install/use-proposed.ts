import { useEffect } from 'react'

import { openText, plainText } from '../../../src-shared/domain/installation/custom-server'
import type { Offer } from '../../../src-shared/domain/server-json/offer'
import { RUNNER_OPTIONS } from '../../../src-shared/form/runner-options'
import { isWebAddress } from './editing/install-subject'
import type { InstallFormModel } from './editing/use-install-form'
import type { CustomServerRow } from './values/custom-server-controls'

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['python', ['python3']],
  ['python3', ['python']],
  ['pip', ['pip3']],
  ['node', ['nodejs']],
  ['nodejs', ['node']],
  ['podman', ['docker']],
  ['bunx', ['bun']],
])
const PORT = /^\d{1,5}$/
/** Matches `--with REQUIREMENT` or `--from PACKAGE PROGRAM`. */
const OPTIONS = [/^--(with|from)$/, /^[A-Za-z0-9][\w.[\],<>=!~-]{0,200}$/, /^[\w.-]{1,200}$/]

type Proposal = {
  readonly fieldKey: string | undefined
  readonly proposed: readonly string[] | undefined
}

/**
 * Fills in one field with a proposal for a known failure cause. An address can name any field, so only safe values are accepted: ports, uvx
 * options, other names of the same program, folders, and web addresses without a key.
 */
export function useProposed(
  { form, fields }: InstallFormModel,
  offer: Offer | undefined,
  { fieldKey, proposed = [] }: Proposal,
): void {
  useEffect(() => {
    const field = fields.find(({ key }) => key === fieldKey)
    const [first = ''] = proposed
    if (fieldKey === RUNNER_OPTIONS) proposeOptions(form, field, proposed, offer)
    else if (fieldKey === 'command') proposeCommand(form, proposed)
    else if (fieldKey === 'url') proposeAddress(form, first)
    else if (fieldKey === 'cwd' && ABSOLUTE.test(first))
      form.setValue('cwd', first, { shouldDirty: true })
    else if (field !== undefined && !field.secret && !field.repeated && PORT.test(first))
      form.setValue(`values.${field.key}`, first, { shouldDirty: true })
  }, [form, fields, offer, fieldKey, proposed])
}

function proposeAddress(form: InstallFormModel['form'], address: string): void {
  if (form.getValues().customServer?.kind === 'address' && isWebAddress(address))
    form.setValue('customServer.url', openText(address), { shouldDirty: true })
}

function proposeOptions(
  form: InstallFormModel['form'],
  field: InstallFormModel['fields'][number] | undefined,
  proposed: readonly string[],
  offer: Offer | undefined,
): void {
  if (!isOptions(proposed)) return
  const { customServer, values } = form.getValues()
  if (field !== undefined) {
    const before = values[RUNNER_OPTIONS]
    const kept = Array.isArray(before) ? before : []
    const next = [...kept, ...pinned(proposed, offer)]
    form.setValue(`values.${RUNNER_OPTIONS}`, next, { shouldDirty: true })
  } else if (customServer?.kind === 'command') {
    form.setValue('customServer.args', withOptions(customServer.args, proposed), {
      shouldDirty: true,
    })
  }
}

/** Sets the program to the first word and puts the others before its arguments. */
function proposeCommand(
  form: InstallFormModel['form'],
  [program = '', ...words]: readonly string[],
): void {
  const { customServer } = form.getValues()
  if (customServer?.kind !== 'command' || !isOtherName(program, customServer.command)) return
  const rows = words.map((text) => ({ name: '', value: openText(text) }))
  form.setValue('customServer.command', program, { shouldDirty: true })
  if (rows.length > 0)
    form.setValue('customServer.args', [...rows, ...customServer.args], { shouldDirty: true })
}

/** Whether a program may replace a command: another name of it, or the same file in another folder. */
function isOtherName(program: string, command: string): boolean {
  const nameOf = (path: string): string => path.split(/[\\/]/u).at(-1) ?? ''
  const isMoved = ABSOLUTE.test(program) && nameOf(program) === nameOf(command)
  return isMoved || OTHER_NAMES.get(command)?.includes(program) === true
}

function isOptions(proposed: readonly string[]): boolean {
  const [option] = proposed
  const count = option === '--from' ? 3 : 2
  return proposed.length === count && proposed.every((text, index) => OPTIONS[index]?.test(text))
}

/** Adds the version to the package, because an unpinned package would change with its next release. */
function pinned(options: readonly string[], offer: Offer | undefined): readonly string[] {
  const pkg = offer?.kind === 'package' ? offer.pkg : undefined
  if (options[0] !== '--from' || pkg?.version === undefined) return options
  return options.map((text) => (text === pkg.identifier ? `${text}==${pkg.version}` : text))
}

/** Returns the arguments of a custom `uvx` command with options before them; `--from` replaces the argument that names the package. */
function withOptions(
  args: readonly CustomServerRow[],
  options: readonly string[],
): CustomServerRow[] {
  const rows = options.map((text) => ({ name: '', value: openText(text) }))
  const [option, name = ''] = options
  if (option !== '--from') return [...rows, ...args]
  const named = args.findIndex(({ value }) => plainText(value, '').startsWith(name))
  const spec = args[named]
  if (spec === undefined) return [...rows, ...args]
  return [
    ...args.slice(0, named),
    ...rows.map((row, index) => (index === 1 ? spec : row)),
    ...args.slice(named + 1),
  ]
}
