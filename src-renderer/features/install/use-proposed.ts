import { useEffect } from 'react'

import { openText, plainText } from '../../../src-shared/domain/installation/by-hand'
import type { Offer } from '../../../src-shared/domain/server-json/offer'
import { RUNNER_OPTIONS } from '../../../src-shared/form/runner-options'
import type { FormDesk } from './editing/use-install-form'
import type { HandRow } from './values/hand-parts'
import { isWebAddress } from './values/web-address'

const PORT = /^\d{1,5}$/
/** `--with REQUIREMENT`, or `--from PACKAGE PROGRAM`. */
const OPTIONS = [/^--(with|from)$/, /^[A-Za-z0-9][\w.[\],<>=!~-]{0,200}$/, /^[\w.-]{1,200}$/]

type Proposal = {
  readonly fieldKey: string | undefined
  readonly proposed: readonly string[] | undefined
}

/** Fills one field with what a known cause of a failure proposes. An address could name any field, so only ports, options of uvx and web addresses without a key pass. */
export function useProposed(
  { form, fields }: FormDesk,
  offer: Offer | undefined,
  { fieldKey, proposed = [] }: Proposal,
): void {
  useEffect(() => {
    const field = fields.find(({ key }) => key === fieldKey)
    const [first = ''] = proposed
    if (fieldKey === RUNNER_OPTIONS) {
      if (isOptions(proposed)) proposeOptions(form, proposed, field && pinned(proposed, offer))
      return
    }
    if (fieldKey === 'url') {
      proposeAddress(form, first)
      return
    }
    if (field !== undefined && !field.secret && !field.repeated && PORT.test(first))
      form.setValue(`values.${field.key}`, first, { shouldDirty: true })
  }, [form, fields, offer, fieldKey, proposed])
}

function proposeAddress(form: FormDesk['form'], address: string): void {
  if (form.getValues().hand?.kind === 'address' && isWebAddress(address))
    form.setValue('hand.url', openText(address), { shouldDirty: true })
}

/** Adds options of the runner to its field, with its version pinned, or to the arguments of a written command. */
function proposeOptions(
  form: FormDesk['form'],
  proposed: readonly string[],
  pinnedOptions: readonly string[] | undefined,
): void {
  const { hand, values } = form.getValues()
  if (pinnedOptions !== undefined) {
    const before = values[RUNNER_OPTIONS]
    const next = [...(Array.isArray(before) ? before : []), ...pinnedOptions]
    form.setValue(`values.${RUNNER_OPTIONS}`, next, { shouldDirty: true })
  } else if (hand?.kind === 'command') {
    form.setValue('hand.args', withOptions(hand.args, proposed), { shouldDirty: true })
  }
}

function isOptions(proposed: readonly string[]): boolean {
  const [option] = proposed
  const count = option === '--from' ? 3 : 2
  return proposed.length === count && proposed.every((text, index) => OPTIONS[index]?.test(text))
}

/** A package that is named without its version would be another one from its next release on. */
function pinned(options: readonly string[], offer: Offer | undefined): readonly string[] {
  const pkg = offer?.kind === 'package' ? offer.pkg : undefined
  if (options[0] !== '--from' || pkg?.version === undefined) return options
  return options.map((text) => (text === pkg.identifier ? `${text}==${pkg.version}` : text))
}

/** The arguments of a written `uvx` with options before them; `--from` names the package in place of its first argument. */
function withOptions(args: readonly HandRow[], options: readonly string[]): HandRow[] {
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
